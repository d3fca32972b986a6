// Package doctor examines the inputs of a run before it is made: what a file is, what is in it, what is wrong with it
// and where, and what to do about it.
//
// [Examine] reads an input from its start to its end, as the pipeline does, and keeps counts and a few examples: its
// memory does not grow with the input. The one rule for the caller: one input, one call; inputs that [crawl.Expand]
// makes of a folder are examined one by one.
package doctor
