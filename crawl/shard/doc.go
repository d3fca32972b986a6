// Package shard reads the records of a file together with their places in it, and copies a file without some of its
// records. What it copies keeps its bytes: it does not write records again, but leaves out ranges of the stream. Only a
// Parquet file is written anew, row by row.
//
//	f, err := shard.Open("part-1.jsonl.gz", shard.Options{})
//	for _, part := range f.Parts(32 << 20) {
//		err = f.Read(ctx, part, func(r *shard.Record) error { … })
//	}
//	err = f.Copy(ctx, out, removed) // ranges that Read has given, in order
//
// A record that cannot be read, or has no text, is a record with a reason, and is copied. Damage is reported by a record
// without a length: the bytes that cannot be decompressed are in no copy.
package shard
