package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"
)

// state is the contents of work/state.json: what the run was begun with, and the stages that are done.
type state struct {
	Format       int              `json:"format"`
	Config       json.RawMessage  `json:"config"`
	ConfigDigest string           `json:"config_digest"`
	Inputs       []Input          `json:"inputs"`
	Arguments    []string         `json:"arguments,omitempty"`
	Started      time.Time        `json:"started"`
	Sizes        map[string]int64 `json:"part_sizes,omitempty"` // sizes that divide stages into parts: see SetSizes
	Stages       []stage          `json:"stages"`
	Digest       string           `json:"digest"` // XXH3-128 of the file: see sealed
}

// stage is a finished stage with its files.
type stage struct {
	StageStats
	Outputs []output `json:"outputs"`
	Freed   []string `json:"freed,omitempty"` // outputs that were removed
}

type output struct {
	Name   string `json:"name"` // with slashes, relative to the run directory
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // XXH3-128 of the file
}

func newState(config any, inputs []Input) (state, error) {
	raw, digest, err := DigestJSON(config)
	if err != nil {
		return state{}, err
	}
	return state{
		Format: FormatVersion, Config: raw, ConfigDigest: digest,
		Inputs: slices.Clone(inputs), Started: time.Now().UTC(),
	}, nil
}

// stateFile is the name of the file of the state.
const stateFile = workName + "/" + stateName

func (d *Dir) saveState() error {
	b, err := sealed(&d.state, &d.state.Digest)
	if err != nil {
		return err
	}
	return d.writeFile(stateFile, b)
}

// stage returns a finished stage, or nil.
func (s *state) stage(name string) *stage {
	for i := range s.Stages {
		if done := &s.Stages[i]; done.Name == name {
			return done
		}
	}
	return nil
}

// readState reads a state. If its digest is wrong, the error wraps ErrDamaged.
func readState(path string) (s state, err error) {
	b, err := readSmall(path)
	if err != nil {
		return s, err
	}
	return parseState(path, b)
}

func parseState(path string, b []byte) (s state, err error) {
	if err := checkSeal(b); err != nil {
		return s, fmt.Errorf("%s: %w: its digest is wrong, or an earlier version of lshclust wrote it", path, ErrDamaged)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// diff returns a line for each difference that prevents a run begun as s from continuing as now.
func (s state) diff(now state) []string {
	var out []string
	if s.ConfigDigest != now.ConfigDigest {
		out = append(out, diffConfig(s, now)...)
	}
	if len(s.Inputs) != len(now.Inputs) {
		return append(out, fmt.Sprintf("%d inputs then, %d now", len(s.Inputs), len(now.Inputs)))
	}
	if reordered(s.Inputs, now.Inputs) {
		return append(out, fmt.Sprintf("the order of the inputs, which decides between captures of the same time, was %s", order(s.Inputs)))
	}
	for i, a := range s.Inputs {
		if b := now.Inputs[i]; !a.same(b) {
			out = append(out, fmt.Sprintf("input %d: %s then, %s now", i+1, a, b))
		}
		if len(out) == maxDiffs {
			return append(out, "and perhaps more")
		}
	}
	return out
}

// maxDiffs limits the number of listed differences.
const maxDiffs = 8

func (i Input) same(o Input) bool {
	if i.Digest != "" && o.Digest != "" {
		return i.Bytes == o.Bytes && i.Digest == o.Digest
	}
	return i.Bytes == o.Bytes && i.Path == o.Path
}

// reordered reports whether two lists have the same inputs in different orders.
func reordered(then, now []Input) bool {
	if len(then) != len(now) || slices.EqualFunc(then, now, Input.same) {
		return false
	}
	// If every input has a digest, digests identify inputs; otherwise paths do, as in Input.same.
	digests := !slices.ContainsFunc(slices.Concat(then, now), func(i Input) bool { return i.Digest == "" })
	keys := func(inputs []Input) (out []string) {
		for _, i := range inputs {
			name := i.Path
			if digests {
				name = i.Digest
			}
			out = append(out, fmt.Sprint(i.Bytes, " ", name))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(keys(then), keys(now))
}

// order returns the names of inputs.
func order(inputs []Input) string {
	var names []string
	for _, in := range inputs[:min(len(inputs), maxDiffs)] {
		names = append(names, filepath.Base(in.Path))
	}
	if more := len(inputs) - maxDiffs; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// String describes an input for an error.
func (i Input) String() string {
	if i.Digest == "" {
		return fmt.Sprintf("%s (%d bytes)", i.Path, i.Bytes)
	}
	return fmt.Sprintf("%s (%d bytes, digest %.8s)", i.Path, i.Bytes, i.Digest)
}

// diffConfig compares two configurations key by key.
func diffConfig(then, now state) []string {
	var a, b any
	if json.Unmarshal(then.Config, &a) != nil || json.Unmarshal(now.Config, &b) != nil {
		return []string{fmt.Sprintf("configuration digest %s then, %s now", then.ConfigDigest, now.ConfigDigest)}
	}
	out := diffValue("", a, b)
	if len(out) == 0 {
		out = []string{"order of the configuration's keys"}
	}
	if len(out) > maxDiffs {
		out = append(out[:maxDiffs], fmt.Sprintf("%d more keys", len(out)-maxDiffs))
	}
	return out
}

// diffValue compares two decoded JSON values recursively and describes the leaves that differ.
func diffValue(path string, a, b any) []string {
	x, okA := a.(map[string]any)
	y, okB := b.(map[string]any)
	if !okA || !okB {
		if reflect.DeepEqual(a, b) {
			return nil
		}
		return []string{fmt.Sprintf("%s was %s, is %s", path, leaf(a), leaf(b))}
	}
	all := maps.Clone(x)
	maps.Copy(all, y)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		name := k
		if path != "" {
			name = path + "." + k
		}
		out = append(out, diffValue(name, x[k], y[k])...)
	}
	return out
}

// leaf prints a value in at most 60 bytes. nil means that the key is absent.
func leaf(v any) string {
	if v == nil {
		return "absent"
	}
	b, _ := json.Marshal(v)
	if len(b) > 60 {
		return string(b[:57]) + "..."
	}
	return string(b)
}

// SetSizes records the sizes by which the program divides stages into parts. If an earlier process recorded others,
// its parts do not fit those of this process: SetSizes forgets the parts of all stages except keep, whose parts
// describe their own contents. It returns the differences, and the unfinished stage that loses its parts, or "".
func (d *Dir) SetSizes(sizes map[string]int64, keep string) (stage string, diffs []string, err error) {
	if diffs = d.DiffSizes(sizes); len(diffs) == 0 {
		return "", nil, nil
	}
	d.parting.Lock()
	defer d.parting.Unlock()
	for _, p := range d.parts {
		if p.Stage != keep && !d.Done(p.Stage) {
			stage = p.Stage
		}
	}
	if err := d.keepParts(func(p part) bool { return p.Stage == keep }); err != nil {
		return stage, diffs, err
	}
	d.state.Sizes = maps.Clone(sizes)
	return stage, diffs, d.saveState()
}

// DiffSizes returns a line for each difference between the given sizes of parts and those that SetSizes recorded.
func (d *Dir) DiffSizes(sizes map[string]int64) []string {
	return diffValue("", leaves(d.state.Sizes), leaves(sizes))
}

// leaves returns sizes in the form that diffValue compares.
func leaves(sizes map[string]int64) map[string]any {
	out := map[string]any{}
	for name, n := range sizes {
		out[name] = n
	}
	return out
}

// Timer measures one stage. It measures the whole process, because stages run one after the other.
type Timer struct {
	name   string
	start  time.Time
	cpu    float64
	memory func() Peak
}

// StartStage starts to measure the named stage. Call Stats or Stop to end it.
func StartStage(name string) *Timer {
	return &Timer{name, time.Now(), cpuSeconds(), WatchMemory()}
}

// Stop ends the measurement of a stage that failed.
func (t *Timer) Stop() { t.memory() }

// Stats ends the measurement and returns the cost of the stage, with the counts of the caller.
func (t *Timer) Stats(in, out int64, dropped map[string]int64) StageStats {
	peak := t.memory()
	return StageStats{
		Name: t.name, In: in, Out: out, Dropped: dropped,
		WallSeconds: time.Since(t.start).Seconds(),
		CPUSeconds:  cpuSeconds() - t.cpu,
		PeakAnon:    peak.Anon,
		PeakFile:    peak.File,
		Finished:    time.Now().UTC(),
	}
}

// Peak is the largest amount of memory, in bytes, that a process used during some time. Memory is sampled, so it may
// miss allocations that live for a few milliseconds.
type Peak struct {
	Anon int64 // anonymous memory: heap, stacks and buffers; this is what a memory limit applies to
	File int64 // pages of mapped files in memory, which the kernel may drop at any time; 0 if unknown
}

// samplingInterval is the time between two samples.
const samplingInterval = 10 * time.Millisecond

// sampler watches the memory of this process. It does not reset the kernel's own peaks through /proc/self/clear_refs,
// because getrusage and time(1) would then report only the peak of the last stage.
type sampler struct {
	status *os.File // /proc/self/status
	buf    []byte
	peak   Peak
}

// WatchMemory starts to sample the memory of this process. The returned function stops sampling and returns the peak;
// later calls return the same peak.
func WatchMemory() (end func() Peak) {
	s, stop := &sampler{}, make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(samplingInterval)
		defer tick.Stop()
		for {
			s.sample()
			select {
			case <-tick.C:
			case <-stop:
				s.sample()
				s.status.Close()
				return
			}
		}
	})
	return sync.OnceValue(func() Peak {
		close(stop)
		ended.Wait()
		return s.peak
	})
}

func (s *sampler) sample() {
	anon, file := s.memoryInUse()
	s.peak.Anon, s.peak.File = max(s.peak.Anon, anon), max(s.peak.File, file)
}

// allocated returns the memory that the Go runtime holds.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
