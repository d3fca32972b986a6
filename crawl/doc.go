// Package crawl reads a crawl and returns its pages.
//
// Reading has two phases. Cutting is sequential and cheap: [Source.Records] finds where one record ends and the next
// begins, and undoes the outer compression, but nothing else. Decoding is expensive and pure: [Record.Page] undoes
// JSON, HTTP, content encoding and charset and makes the canonical URL. It may run on any goroutine, in any order.
//
//	src, err := crawl.Open("crawl.warc.gz", crawl.Options{})   // recognizes the format by content, not by name
//	for rec, err := range src.Records(ctx) {
//		// err is a *Skip (count it and continue) or the error of the context
//		page, err := rec.Page()                            // err is a *Skip
//	}
//
// Callers should count every *Skip that Records, Page or Page.Warnings return in a [Ledger]. Nothing is dropped
// silently, and no input can stop the reading of the rest: after damage, a source continues at the next place that it
// recognizes. [Reason.Damage] distinguishes what was unreadable from what was merely not wanted (a request record, an
// image, a 404).
//
// docs/format.md lists the formats. A format consists of a [Source] and a line in the table in open.go, and package
// stream has a table of the compressions. foreign.go lists what is recognized but not read. The readers are in packages
// warc, table and parquet. Tables and JSON hold pages or link rows: the name of a column decides what it means, unless
// [Options].Map does. [Page].Links holds the links of a page whose content is missing.
package crawl
