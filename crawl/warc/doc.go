// Package warc reads archives of web pages: WARC 0.17 to 1.1 with WAT and WET, and ARC 1 and 2.
//
// [Open] and [OpenARC] make a [Source] of the members of a file. It reads the records in their order; [Source.InRanges]
// makes of it a source that several goroutines read with the same result, and [Source.RecordAt] reads a single record
// again. Damage costs the record that it touches and no other.
package warc
