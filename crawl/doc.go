// Package crawl reads a crawl and returns its pages.
//
// Reading has two phases. Cutting is sequential and cheap: [Source.Records] finds where one record ends and
// the next begins and undoes the outer compression, nothing more. Decoding is expensive and pure:
// [Record.Page] undoes JSON, HTTP, content encoding and charset and makes the canonical URL, and may run on
// any goroutine, in any order.
//
//	src, err := crawl.Open("crawl.warc.gz", crawl.Options{})   // format found by content, not by name
//	for rec, err := range src.Records(ctx) {
//		// err is a *Skip (count it, go on) or the context's error
//		page, err := rec.Page()                            // err is a *Skip
//	}
//
// The one rule for the caller: count every *Skip, from Records, from Page and in Page.Warnings, in a [Ledger]. Nothing is
// dropped silently, and nothing in an input stops the reading of the rest: after damage, a source continues at the next
// place that it recognises. [Reason.Damage] distinguishes what was unreadable from what was merely not wanted (a request
// record, an image, a 404).
//
// Formats: JSONL, folders of HTML, WARC 0.17 to 1.1 with WAT and WET, ARC 1 and 2, WACZ and zip, CDX and
// CDXJ, Parquet, CSV and TSV; each may be compressed with gzip or zstd. A format is one [Source] and one line in the table
// in open.go; the readers are in packages warc, table and parquet. Tables and JSON Lines hold pages or link rows: the name
// of a column decides what it means, or [Options].Map does. The links of a page whose content is missing are in
// [Page].Links.
package crawl
