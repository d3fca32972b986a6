// Package warc reads archives of web pages: WARC 0.17 to 1.1 with WAT and WET, and ARC 1 and 2.
//
// [Open] and [OpenARC] return a [Source] that reads the records of a file in order. [Source.InRanges] turns it into a
// source that reads with several goroutines and returns the same records in the same order. [Source.RecordAt] reads a
// single record again. Damage affects only the record in which it occurs.
package warc
