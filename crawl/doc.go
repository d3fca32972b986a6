// Package crawl reads a crawl and hands out its pages, and defines the canonical form of a URL,
// which is the identity of a page everywhere else.
//
// Reading has two phases. Cutting is sequential and cheap: [Source.Records] finds where one record ends and
// the next begins, undoes the outer compression and nothing more. Decoding is expensive and pure:
// [Record.Page] undoes JSON, HTTP, content encoding and charset and makes the canonical URL, and may run on
// any goroutine, in any order.
//
//	src, err := crawl.Open("crawl.warc.gz", crawl.Options{})   // format found by content, not by name
//	for rec, err := range src.Records(ctx) {
//		// err is a *Skip (count it, go on) or the context's error
//		page, err := rec.Page()                            // err is a *Skip
//	}
//
// The one rule for the caller: count every *Skip, from Records, from Page and in Page.Warnings, in a
// [Ledger]. Nothing is dropped in silence, and nothing that an input holds stops the reading of the rest:
// after damage a source goes on at the next place that it can recognise. [Reason.Damage] tells what was
// unreadable from what was only not wanted (a request record, an image, a 404).
//
// Formats: JSONL, folders of HTML, WARC 0.17 to 1.1 with WAT and WET, ARC 1 and 2, WACZ and zip, CDX and
// CDXJ, Parquet, CSV and TSV; each may be compressed with
// gzip or zstd. A format is one [Source] and one line in the table in open.go. Tables and JSON Lines hold pages or
// links: what a column is, its name tells (columns.go), or [Options].Map. Links of a page that is not there come as
// [Page].Links.
package crawl
