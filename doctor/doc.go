// Package doctor examines inputs before a run is built. It finds out what each input is, what it contains, what is
// wrong with it and where, and gives advice.
//
// [Examine] reads an input from its start to its end, as the pipeline does, and keeps counts and a few examples: its
// memory does not grow with the input. The one rule for the caller: one input, one call; inputs that [crawl.Expand]
// makes of a folder are examined one by one.
package doctor
