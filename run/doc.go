// Package run is the directory that one execution of lshclust writes and that
// every later command reads: Parquet tables for people and their tools, mapped
// tables for package query, and run.json, the manifest, which says how they came
// to be.
//
// A run is in one of two states, and only Publish leads from the first to the
// second:
//
//	work/state.json       being built: stages that are done, and what of
//	work/...              intermediate files, gone once the run is finished
//	run.json              finished: every table listed with rows, bytes and digest
//	*.parquet, *.lsh      tables
//
// [Create] makes or takes up a directory being built, under a lock, and refuses
// one that was begun with another configuration or other inputs; [Dir.Verify]
// finds what was damaged since. A stage writes under [Dir.Temp] names and ends
// with [Dir.Finish]. [Open] reads finished runs
// only. [Check] validates one from the manifest to the last checksum.
//
// The one rule the caller must keep: a stage reads only the inputs and the outputs
// of stages that are done, and writes only files that it names to Finish. Then a
// stage that was cut off can be run again, and a run that was stopped goes on to
// the same bytes.
package run

import (
	"errors"
	"fmt"
	"strings"
)

// FormatVersion is the version of the run directory that this package writes.
//
//	1  first version
//	2  pages.parquet has crawled and input; captures.lsh
//	3  run.json has a digest of itself; the mapped tables have a checksum for each block of 64 KiB
const FormatVersion = 3

// Names within a run directory.
const (
	ManifestName = "run.json"
	workName     = "work"
	stateName    = "state.json"
	tempSuffix   = ".tmp"
)

// What can stand against opening a run directory. Test with errors.Is.
var (
	ErrFinished   = errors.New("the run is finished and is never changed")
	ErrUnfinished = errors.New("the run is not finished")
	ErrLocked     = errors.New("another process is building this run")
	ErrNotRun     = errors.New("not a run directory")
	ErrInside     = errors.New("it would be inside the run directory")
	ErrMismatch   = errors.New("the run was begun with something else")
	ErrFormat     = errors.New("unknown format of run directory")
	ErrManifest   = errors.New("the manifest was changed after the run was finished, or is damaged")
)

// UnfinishedError is returned by Open for a run that is being built or was
// stopped. It unwraps to ErrUnfinished.
type UnfinishedError struct {
	Path string
	Done []string // stages that are done, in order
}

// Error says how far the run got and how to go on.
func (e *UnfinishedError) Error() string {
	far := "no stage is done"
	if len(e.Done) > 0 {
		far = fmt.Sprintf("%d stages are done, the last is %q", len(e.Done), e.Done[len(e.Done)-1])
	}
	return fmt.Sprintf("%s: %v: %s; give the command that began it again to go on", e.Path, ErrUnfinished, far)
}

// Unwrap returns ErrUnfinished.
func (e *UnfinishedError) Unwrap() error { return ErrUnfinished }

// MismatchError is returned by Create for a directory that was begun with another
// configuration, other inputs, or another format. It unwraps to ErrMismatch.
type MismatchError struct {
	Path  string
	Diffs []string // one line a difference: what, then and now
}

// Error lists the differences and the ways out.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %v: %s; go on with the same configuration and inputs, choose another output directory (-o), or remove this one",
		e.Path, ErrMismatch, strings.Join(e.Diffs, "; "))
}

// Unwrap returns ErrMismatch.
func (e *MismatchError) Unwrap() error { return ErrMismatch }
