// Package run defines the run directory, which lshclust cluster writes and all later commands read. It contains
// Parquet tables for people and their tools, mapped tables for package runs, and a manifest, run.json, which records
// how the tables were made.
//
// A run is either under construction or finished. Only [Dir.Publish] finishes it:
//
//	work/state.json       under construction: the stages that are done, with their files
//	work/...              intermediate files, which Publish removes
//	run.json              finished: lists every table with rows, bytes and digest
//	*.parquet, *.lsh      tables
//
// [Create] makes a directory, or takes over one whose construction was stopped, and locks it. It refuses one that was
// begun with another configuration or other inputs. [Dir.Verify] finds files that were damaged since. A stage writes
// files under the names that [Dir.Temp] returns and ends with [Dir.Finish]. [Open] opens finished runs only. [Check]
// validates a finished run, from the manifest to the last checksum.
//
// A stage must read only the inputs and the files of stages that are done, and write only files that it passes to
// Finish. Then an interrupted stage can simply be done again, and a stopped run ends with the same bytes.
package run

import (
	"errors"
	"fmt"
	"strings"
)

// FormatVersion is the version of the run directory that this package reads and writes.
//
//	1  first version
//	2  pages.parquet has crawled and input; captures.lsh
//	3  run.json has a digest of itself; the mapped tables have a checksum for each block of 64 KiB
//	4  union.lsh (was joined.lsh); the stages redirect and union (were follow and join); max_bucket (was max_run); keep;
//	   sketch
//	5  sources.lsh, inverted.lsh, origins.lsh, tree.lsh, topical_tree.parquet; the stages invert and tree; content,
//	   content_terms, apart, rounds, width, recall, tree
//	6  terms of links and of content, without origins.lsh; bags of links, content or both, without the setting content
//	7  documents.lsh has openings; evidence.lsh has the common texts of links; pages.parquet has name
//	8  pairs.lsh and shingles.lsh are packed; pairs.lsh without agreement; topical_pairs.parquet and signatures.lsh are not
//	   kept
//	9  the places of lists and strings in all mapped tables are packed
//	10 bags.lsh is packed; pairs.lsh states once what all similarities of a list have in common; documents.lsh has what only
//	   pages have in columns of the pages; long lists of strings are packed; topical_clusters.parquet is not kept
//	11 bags.lsh, inverted.lsh, pairs.lsh, postings.lsh and shingles.lsh have Golomb-Rice codes
//	12 the leaves of tree.lsh are topics and not topical clusters; topical_tree.parquet has topics instead of clusters
//	13 version 3 of the rules for canonical URLs; terms of many more languages, and more languages in documents.lsh
//	14 the topics of tree.lsh are communities, without the setting tree; topical_tree.parquet has no threshold; shingles.lsh
//	   has gaps of as many bits as the largest of the page needs
//	15 shingles.lsh has the digest of every set, and other digests of words
//	16 documents.lsh has the headings of pages, and evidence.lsh the heading above each link
//	17 shingles.lsh, postings.lsh and files of sketches have other values, which are no Rabin fingerprints
//	18 documents.lsh and pages.parquet have the URLs at which pages were crawled; page_label in pages.parquet (was label)
//	19 evidence.lsh has the headings above links in 2 bytes; tree.lsh without the numbers of leaves
const FormatVersion = 19

// Names in a run directory.
const (
	ManifestName = "run.json"
	workName     = "work"
	stateName    = "state.json"
	tempSuffix   = ".tmp"
)

// Errors that say why a run directory cannot be opened or created. Test for them with errors.Is.
var (
	ErrFinished   = errors.New("the run is finished and is never changed")
	ErrUnfinished = errors.New("the run is not finished")
	ErrLocked     = errors.New("another process is building this run")
	ErrNotRun     = errors.New("not a run directory")
	ErrInside     = errors.New("it would be inside the run directory")
	ErrMismatch   = errors.New("the run was begun with another configuration or other inputs")
	ErrFormat     = errors.New("unknown format of run directory")
	ErrManifest   = errors.New("the manifest was changed after the run was finished, or is damaged")
)

// UnfinishedError is the error that Open returns for a run under construction. It unwraps to ErrUnfinished.
type UnfinishedError struct {
	Path string
	Done []string // finished stages, in order

	Stage string // unfinished stage with recorded parts, or ""
	Parts int    // number of recorded parts of Stage
}

// Error returns a message with the stages that are done and the way to continue.
func (e *UnfinishedError) Error() string {
	far := "no stage is done"
	if len(e.Done) > 0 {
		far = fmt.Sprintf("%d stages are done, the last is %q", len(e.Done), e.Done[len(e.Done)-1])
	}
	if e.Parts > 0 {
		far += fmt.Sprintf("; parts of stage %q that are done: %d", e.Stage, e.Parts)
	}
	return fmt.Sprintf("%s: %v: %s; repeat the command that began it to continue", e.Path, ErrUnfinished, far)
}

// Unwrap returns ErrUnfinished.
func (e *UnfinishedError) Unwrap() error { return ErrUnfinished }

// MismatchError is the error that Create returns for a directory that was begun with another configuration or
// other inputs. It unwraps to ErrMismatch.
type MismatchError struct {
	Path  string
	Diffs []string // one line per difference
}

// Error returns a message with the differences and some advice.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %v: %s; continue with the same configuration and inputs, choose another output directory (-o), or remove this one",
		e.Path, ErrMismatch, strings.Join(e.Diffs, "; "))
}

// Unwrap returns ErrMismatch.
func (e *MismatchError) Unwrap() error { return ErrMismatch }

// FinishedError is the error that Create returns for a directory that contains a finished run. It unwraps to
// ErrFinished.
type FinishedError struct {
	Path     string
	Manifest *Manifest // of the run; nil if it cannot be read
	Diffs    []string  // one line per difference from the run that was asked for; none if it is the same
}

// Error returns a message with the differences and some advice.
func (e *FinishedError) Error() string {
	return fmt.Sprintf("%s: %v, and differs from the run that was asked for: %s; choose another output directory (-o), or replace the run (--replace)",
		e.Path, ErrFinished, strings.Join(e.Diffs, "; "))
}

// Unwrap returns ErrFinished.
func (e *FinishedError) Unwrap() error { return ErrFinished }
