// Package record declares what the readers of all formats share. A [Source] cuts an input into [Record]s, a Record is
// decoded into a [Page], and what is left out becomes a [Skip] with a [Position] and a [Reason].
//
// A program that reads crawls uses these types under the names that package crawl gives them. A new format needs this
// package: its reader makes Records whose Decode function returns the page, and identifies the page with
// [Record.Identify].
package record
