// Package dedup writes collections of texts again without near-duplicates: the same files with the same names, format,
// compression and bytes, but for the records that go.
//
//	report, err := dedup.Run(ctx, "clean", []string{"crawl/*.jsonl.gz"}, dedup.Options{Near: 0.8})
//
// A record goes only if a record that stays has the same words, resembles it or, if asked, contains it: there are no
// chains. Records are decided one after another in the order of Options.Keep, so the first of a group stays. Ids play no
// part. The decision depends on the records and their order alone.
//
// The steps, each of which a stopped call continues:
//
//  1. scan: every part of every file is read. Of each record a row of 64 bytes and a signature of 64 bytes are kept.
//  2. candidates: equal texts meet by digests of their words; others by bands of their signatures. Sorting is external.
//  3. sets: the sets of shingles of all candidates are computed from the texts, which are read again.
//  4. decide: in the order of preference, each record is compared exactly with the candidates that stay.
//  5. write: the files are copied without the ranges of the removed records.
package dedup
