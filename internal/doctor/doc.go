// Package doctor examines the inputs of a run before it is built: what a file is, what it contains, what is wrong
// with it and where, and what to do about it.
//
// [Examine] reads an input from start to end, as the pipeline does, and keeps counts and a few examples, so that its
// memory does not grow with the input. Call it once for each input. If [crawl.Expand] makes several inputs of a
// folder, examine them one by one.
package doctor
