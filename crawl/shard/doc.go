// Package shard reads the records of a file together with their places in it, and copies a file without some of its
// records. What it copies keeps its bytes: it does not write records again, but leaves out ranges of the stream. Only a
// Parquet file is written anew, row by row.
//
//	f, err := shard.Open("part-1.jsonl.gz", shard.Options{})
//	lines, err := f.Read(ctx, shard.Part{}, func(r *shard.Record) error { … }) // or each part that Divide returns
//	err = f.Copy(ctx, out, removed) // ranges that Read has given, in order
//
// A record that cannot be read, or has no text, is a record with a reason, and is copied. Damage is reported by a record
// without a length: the bytes that cannot be decompressed are in no copy.
package shard
