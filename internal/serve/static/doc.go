// Package static writes the pages of a run to files, for people without a server.
//
// [Export] starts at a few pages and follows their links, as a visitor would. Quotas limit the number of pages of
// each kind. Then it renders all of them, with links to one another. Links to other pages, and to what only a server
// has, such as the search, become plain text. [Write] puts the files into a new folder that needs no network and no server.
// The same run yields the same bytes.
package static
