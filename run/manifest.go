package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Manifest is run.json. Everything in it but times, memory and the input paths
// follows from inputs and configuration.
type Manifest struct {
	Tool         string           `json:"tool"`         // "lshclust"
	ToolVersion  string           `json:"tool_version"` // of the binary that published
	Format       int              `json:"format"`       // FormatVersion
	Config       json.RawMessage  `json:"config"`       // full configuration, defaults included
	ConfigDigest string           `json:"config_digest"`
	Seed         uint64           `json:"seed"`
	Inputs       []Input          `json:"inputs"`                  // in the order in which they were given, which decides between captures of the same time
	Stages       []StageStats     `json:"stages"`                  // in the order they ran
	Dropped      []Dropped        `json:"dropped,omitempty"`       // what was skipped, over all stages
	Warnings     []string         `json:"warnings,omitempty"`      // for people
	Counts       map[string]int64 `json:"counts,omitempty"`        // totals worth showing: documents, links, clusters
	WindowSource map[string]int64 `json:"window_source,omitempty"` // where links came without pages: links by where the words around them are from: "page", "given", "anchor" (none)
	Tables       []Table          `json:"tables"`                  // sorted by name
	Started      time.Time        `json:"started"`
	Finished     time.Time        `json:"finished"`
	Digest       string           `json:"digest"` // XXH3-128 of this file with zeros for these 32 hex digits; always last
}

// Input is one file that was read.
type Input struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest,omitempty"` // XXH3-128 of the contents (of a folder: of names and sizes), 32 hex digits
}

// StageStats is what one stage did and cost.
type StageStats struct {
	Name        string           `json:"name"`
	In          int64            `json:"in"`  // records read
	Out         int64            `json:"out"` // records written
	Dropped     map[string]int64 `json:"dropped,omitempty"`
	Counts      map[string]int64 `json:"counts,omitempty"` // anything else worth keeping
	WallSeconds float64          `json:"wall_seconds"`
	CPUSeconds  float64          `json:"cpu_seconds"`     // user and system, all threads
	PeakAnon    int64            `json:"peak_anon_bytes"` // anonymous memory, sampled: what --memory bounds
	PeakFile    int64            `json:"peak_file_bytes"` // pages of mapped files in memory, sampled: the kernel may drop them
	Finished    time.Time        `json:"finished"`
}

// Dropped counts what was skipped for one reason, with the first few examples as
// "file at byte offset: what".
type Dropped struct {
	Reason   string   `json:"reason"`
	Damage   bool     `json:"damage,omitempty"` // the input was unreadable there
	Count    int64    `json:"count"`
	Passed   int64    `json:"bytes_passed_over,omitempty"` // of the files, by damage
	Examples []string `json:"examples,omitempty"`
}

// Table describes one file of a finished run.
type Table struct {
	Name   string `json:"name"` // relative to the run directory
	Kind   string `json:"kind"` // parquet, mapped or other
	Rows   int64  `json:"rows"` // of a Parquet table; 0 for others
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // XXH3-128 of the file, 32 hex digits
}

// Stage returns the statistics of the stage of that name.
func (m *Manifest) Stage(name string) (StageStats, bool) {
	for _, s := range m.Stages {
		if s.Name == name {
			return s, true
		}
	}
	return StageStats{}, false
}

// Table returns the description of the table of that name.
func (m *Manifest) Table(name string) (Table, bool) {
	for _, t := range m.Tables {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
}

// maxManifest bounds what is read into memory as a manifest or a state, in bytes.
const maxManifest = 256 << 20

// readSmall reads a small file that this package wrote.
func readSmall(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxManifest {
		return nil, fmt.Errorf("%s: %d bytes are too many for a manifest", path, st.Size())
	}
	return os.ReadFile(path)
}

// readManifest reads and checks a run.json.
func readManifest(path string) (*Manifest, error) {
	b, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	m, unsealed := new(Manifest), checkSeal(b)
	err = json.Unmarshal(b, m)
	var damage *sealError
	switch {
	case errors.As(unsealed, &damage) && damage.found != "": // it has a digest, which is wrong
		return nil, fmt.Errorf("%s: %w", path, unsealed)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case m.Format != FormatVersion:
		return nil, fmt.Errorf("%s: %w: version %d, this program reads %d; make the run again", path, ErrFormat, m.Format, FormatVersion)
	case unsealed != nil:
		return nil, fmt.Errorf("%s: %w", path, unsealed)
	}
	return m, nil
}
