package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Manifest is the contents of run.json. The inputs and the configuration determine all of it, except times, memory,
// disk, versions, the digest and the paths of the inputs.
type Manifest struct {
	Tool         string           `json:"tool"`         // "lshclust"
	ToolVersion  string           `json:"tool_version"` // version of the program that published the run
	Format       int              `json:"format"`       // FormatVersion
	Config       json.RawMessage  `json:"config"`       // whole configuration, including defaults
	ConfigDigest string           `json:"config_digest"`
	Seed         uint64           `json:"seed"`
	Inputs       []Input          `json:"inputs"`                  // in the order in which they were given, which decides between captures of the same time
	Stages       []StageStats     `json:"stages"`                  // in the order in which they ran
	Dropped      []Dropped        `json:"dropped,omitempty"`       // what was left out, over all stages
	Warnings     []string         `json:"warnings,omitempty"`      // messages for people
	Counts       map[string]int64 `json:"counts,omitempty"`        // totals such as documents, links, clusters
	WindowSource map[string]int64 `json:"window_source,omitempty"` // number of links without pages, by the source of the words around them: "page", "given" (the table) or "anchor" (there are none)
	Tables       []Table          `json:"tables"`                  // sorted by name
	Started      time.Time        `json:"started"`
	Finished     time.Time        `json:"finished"`
	Digest       string           `json:"digest"` // XXH3-128 of this file with zeros in place of these 32 hex digits; always the last field
}

// Input is one input of a run.
type Input struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest,omitempty"` // XXH3-128 of the contents as 32 hex digits; for a folder, of names and sizes
}

// StageStats describes the work of a stage and its cost.
type StageStats struct {
	Name        string           `json:"name"`
	In          int64            `json:"in"`  // records read
	Out         int64            `json:"out"` // records written
	Dropped     map[string]int64 `json:"dropped,omitempty"`
	Counts      map[string]int64 `json:"counts,omitempty"` // other figures
	WallSeconds float64          `json:"wall_seconds"`
	CPUSeconds  float64          `json:"cpu_seconds"`     // user and system time of all threads
	PeakAnon    int64            `json:"peak_anon_bytes"` // sampled; this is what --memory limits
	PeakFile    int64            `json:"peak_file_bytes"` // pages of mapped files in memory, sampled; the kernel may drop them
	PeakDisk    int64            `json:"peak_disk_bytes"` // size of the run directory, sampled
	Finished    time.Time        `json:"finished"`
}

// Dropped counts what was left out for one reason. Its first few examples have the form "file at byte offset: what".
type Dropped struct {
	Reason   string   `json:"reason"`
	Damage   bool     `json:"damage,omitempty"` // whether the input was unreadable there
	Count    int64    `json:"count"`
	Passed   int64    `json:"bytes_passed_over,omitempty"` // bytes of files that damage made unreadable
	Examples []string `json:"examples,omitempty"`
}

// Table describes one file of a finished run.
type Table struct {
	Name   string `json:"name"` // relative to the run directory
	Kind   string `json:"kind"` // parquet, mapped or other
	Rows   int64  `json:"rows"` // for a Parquet table, otherwise 0
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // XXH3-128 of the file as 32 hex digits
}

// Stage returns the statistics of the named stage.
func (m *Manifest) Stage(name string) (StageStats, bool) {
	for _, s := range m.Stages {
		if s.Name == name {
			return s, true
		}
	}
	return StageStats{}, false
}

// Damaged returns the number of unreadable parts of the input.
func (m *Manifest) Damaged() (n int64) {
	for _, d := range m.Dropped {
		if d.Damage {
			n += d.Count
		}
	}
	return n
}

// Table returns the description of the named table.
func (m *Manifest) Table(name string) (Table, bool) {
	for _, t := range m.Tables {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
}

// maxManifest limits the size in bytes of a manifest or state that is read into memory.
const maxManifest = 256 << 20

// readSmall reads a small file that this package wrote.
func readSmall(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxManifest {
		return nil, fmt.Errorf("%s: a manifest cannot have %d bytes", path, st.Size())
	}
	return os.ReadFile(path)
}

// readManifest reads and checks run.json.
func readManifest(path string) (*Manifest, error) {
	b, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	m, unsealed := new(Manifest), checkSeal(b)
	err = json.Unmarshal(b, m)
	var damage *sealError
	switch {
	case errors.As(unsealed, &damage) && damage.found != "": // there is a digest, but it is wrong
		return nil, fmt.Errorf("%s: %w", path, unsealed)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case m.Format != FormatVersion:
		return nil, fmt.Errorf("%s: %w: version %d, this program reads %d; ask the version of lshclust that built it (%s), or build the run again with lshclust cluster -o NEW INPUT",
			path, ErrFormat, m.Format, FormatVersion, m.ToolVersion)
	case unsealed != nil:
		return nil, fmt.Errorf("%s: %w", path, unsealed)
	}
	return m, nil
}

// Run is a finished run, open for reading.
type Run struct {
	path     string
	Manifest *Manifest
}

// Open opens the finished run at path and checks the digest of its manifest. It tries to remove intermediate files
// left by a killed process. Errors are an *UnfinishedError, ErrNotRun, ErrFormat, ErrManifest, or an error of the
// file system.
func Open(path string) (*Run, error) {
	switch at, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: there is no such file or folder", path, ErrNotRun)
	case err == nil && !at.IsDir():
		return nil, fmt.Errorf("%s: %w but a file; lshclust cluster -o RUN FILE makes a run of a crawl", path, ErrNotRun)
	}
	m, err := readManifest(filepath.Join(path, ManifestName))
	if err == nil {
		tidy(path)
		return &Run{path, m}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s, err := readState(filepath.Join(path, workName, stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: there is no %s", path, ErrNotRun, ManifestName)
	}
	if errors.Is(err, ErrDamaged) {
		return nil, fmt.Errorf("%w; repeat the command that began the run to rebuild it", err)
	}
	if err != nil {
		return nil, err
	}
	e := &UnfinishedError{Path: path}
	for _, d := range s.Stages {
		e.Done = append(e.Done, d.Name)
	}
	parts, err := readParts(path)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if !slices.Contains(e.Done, p.Stage) {
			e.Stage, e.Parts = p.Stage, e.Parts+1
		}
	}
	return nil, e
}

// Root returns the path of the directory.
func (r *Run) Root() string { return r.path }

// Path returns the path of the named file of the run.
func (r *Run) Path(name string) string { return filepath.Join(r.path, filepath.FromSlash(name)) }

// Has reports whether the manifest lists the table.
func (r *Run) Has(name string) bool {
	_, ok := r.Manifest.Table(name)
	return ok
}
