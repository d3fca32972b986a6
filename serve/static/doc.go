// Package static writes the pages of a run to files, for people who have no server.
//
// [Export] starts at a few pages and follows their links, as a visitor would. Quotas bound how many pages of each kind
// it takes. Then it renders all of them, with links to one another. What was not taken, and what only a server has, such
// as the search, is shown without a link. [Write] puts the files into a folder, which needs no network and no server.
//
// The same run gives the same bytes. Write never touches a file that it did not make.
package static
