package pipeline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// needs are the files that the parts of a step read, apart from the state of the run and inputs. A process that has only
// these can do a part: see [DoFramed]. What no later step needs is removed: see freeUnread.
type needs struct {
	files   []string                // that every part reads
	steps   []string                // earlier steps of the stage, whose files are among these
	each    func(part int) []string // that one part reads as well, whose number is that of a partition; nil: none
	streams frames.Kind             // the streams of the parts of the stage read that a part reads; 0: none
	kind    frames.Kind             // of what a part reads and was shuffled; 0: nothing
	all     bool                    // the only part reads the streams of all partitions, and not those of its own
}

// needsOf returns what the parts of a step read.
func (b *build) needsOf(step string) (n needs) {
	pairs := []string{tables.BagsFile, tables.NodesFile, tables.SignaturesFile, tables.SourcesFile}
	clusters := []string{tables.BagsFile, tables.NodesFile, tables.PairsFile, tables.TermsFile, tables.DocumentsFile, tables.EvidenceFile}
	of := func(stage string, steps ...string) (files []string) {
		n.steps = append(n.steps, steps...)
		for _, step := range steps {
			files = append(files, b.filesOf(stage, step)...)
		}
		return files
	}
	switch step {
	case "redirect":
		n.files = []string{redirectsFile}
		if read, _ := b.dir.Stats("read"); read.Counts["redirects"] > 0 {
			b.addRead(&n, frames.Fragments, true)
		}
	case "group":
		n.files = []string{supersededFile, repeatedFile, tables.RedirectsFile}
		if slices.Contains(b.dir.Outputs("redirect"), redirectedFile) {
			n.files = append(n.files, redirectedFile)
		}
		b.addRead(&n, frames.Fragments, false)
	case "weigh":
		n.files, n.each = []string{tables.TermsFile}, func(part int) []string { return []string{rawFile(part)} }
	case signNodes:
		n.files = []string{tables.BagsFile}
	case "sign", "invert":
		n.files = []string{tables.BagsFile, tables.NodesFile}
	case pairChoose:
		n.files = slices.Concat(pairs, []string{tables.InvertedFile})
	case pairOrder, pairBuckets:
		n.files = slices.Concat(pairs, of("pair", pairChoose))
	case pairLarge:
		n.files = slices.Concat(pairs, of("pair", pairChoose, pairBuckets))
	case pairSearch:
		n.files = slices.Concat(pairs, of("pair", pairChoose, pairOrder, pairLarge))
	case clusterKeys:
		n.files = clusters
	case clusterCenters:
		n.files = slices.Concat(clusters, of("cluster", clusterKeys))
	case treeBuild:
		n.files = slices.Concat(clusters, []string{tables.ClustersFile})
	case clusterLabels:
		n.files = slices.Concat(clusters, of("cluster", clusterCenters))
	case treeAbove:
		n.files = slices.Concat(clusters, []string{tables.ClustersFile}, of("tree", treeBuild))
	case treeLeaves:
		n.files = slices.Concat(clusters, []string{tables.ClustersFile}, of("tree", treeBuild, treeAbove))
	case "shingle":
		n.files = []string{supersededFile, tables.DocumentsFile}
		b.addRead(&n, frames.Shingles, true)
	case "index", "equal":
		n.files = []string{tables.ShinglesFile}
	case "resemble":
		n.files = []string{tables.ShinglesFile, tables.EqualFile, tables.DocumentsFile}
	case "union":
		n.files = []string{tables.ShinglesFile, tables.EqualFile, tables.DocumentsFile, tables.SimilarFile}
	case "publish", byPairs.step, pagesByDocuments.step, clustersByDocuments.step:
		n.files = b.publishedFrom()
	default:
		if step == pairSelect || step == pairSort || strings.HasPrefix(step, pairRounds) {
			n.files = slices.Concat(pairs, of("pair", pairChoose, pairOrder, b.pairStepBefore(step)))
		}
	}
	return n
}

// addRead adds what the stage read has written: whole parts, and the shuffled ones as frames.
func (b *build) addRead(n *needs, kind frames.Kind, all bool) {
	n.streams, n.all = kind, all
	if b.hasShuffled() {
		n.kind, n.files = kind, append(n.files, shuffledFile)
	}
	for _, name := range b.partFiles() {
		if !strings.HasSuffix(name, shuffledSuffix) {
			n.files = append(n.files, name)
		}
	}
}

// endNeeds returns what the end of a stage reads, which puts the parts of its steps together: files of earlier stages, and
// steps.
func (b *build) endNeeds(stage string) (n needs) {
	for _, s := range b.stepsOf(stage) {
		n.steps = append(n.steps, s.name)
	}
	switch stage {
	case "group":
		n.files = []string{wordsFile}
	case "weigh": // of a run from bags
		n.files = []string{orderFile}
	case "pair":
		n.steps = []string{pairChoose, n.steps[len(n.steps)-1]}
	case "publish": // and the manifest
		n.files, n.steps = []string{ledgerFile, commonFile}, []string{"publish"}
	}
	return n
}

// publishedFrom returns the tables that the stage publish reads.
func (b *build) publishedFrom() []string {
	out := []string{tables.DocumentsFile, tables.RedirectsFile, tables.CapturesFile}
	if b.config.Has(config.Topical) {
		out = append(out, tables.NodesFile, tables.PairsFile, tables.ClustersFile, tables.TreeFile)
	}
	if b.config.Has(config.Syntactic) {
		out = append(out, tables.ShinglesFile, tables.SimilarFile, tables.UnionFile, tables.EqualFile)
	}
	return out
}

// filesOf returns the files of the recorded parts of a step.
func (b *build) filesOf(stage, step string) (out []string) {
	if !slices.ContainsFunc(b.stepsOf(stage), func(s stepOf) bool { return s.name == step }) {
		return nil
	}
	first := b.partNumber(stage, step, 0)
	for _, p := range b.dir.Parts(stage) {
		if p.Number >= first && p.Number < first+joinedPart {
			out = append(out, p.Files...)
		}
	}
	return out
}

// Needs are the parts of the step that is next in a run, and what a process needs to do them that does not see the run.
type Needs struct {
	Tasks
	State    []run.File            `json:"state,omitempty"`    // that make a copy of the run
	Files    []run.File            `json:"files,omitempty"`    // that every part reads
	Each     map[string][]run.File `json:"each,omitempty"`     // that a part reads as well, by the number of the part, from 1
	Inputs   map[string][]Input    `json:"inputs,omitempty"`   // that a part of the stage read reads
	Shuffled []Shuffled            `json:"shuffled,omitempty"` // blocks that must come as frames
}

// Input is an input that a part reads.
type Input struct {
	Number int `json:"number"`
	run.Input
}

// Shuffled describes blocks of the parts of a step that must come as frames.
type Shuffled struct {
	Step  string      `json:"step"`
	Kind  frames.Kind `json:"kind"`
	To    string      `json:"to"`    // "part": those for a partition go to the part with its number; "all": all of them to the only part
	Bytes []uint64    `json:"bytes"` // in the blocks for each part
}

// NextNeeds returns what is next in the unfinished run in a directory, with what all parts of the step need, or only one
// part if it is not negative.
func NextNeeds(dir string, part int, o Options) (Needs, error) {
	b, err := attach(dir, o)
	if err != nil {
		return Needs{}, err
	}
	t, next, err := b.nextTasks()
	if err != nil || next == nil {
		return Needs{Tasks: t}, err
	}
	if part >= next.parts {
		return Needs{}, fmt.Errorf("%s: %w: step %s has %d parts", dir, ErrTask, next.name, next.parts)
	}
	out := Needs{Tasks: t}
	if out.State, err = b.dir.StateFiles(t.Stage, b.partNumber(t.Stage, next.name, 0)); err != nil {
		return Needs{}, err
	}
	return out, b.fillNeeds(&out, part)
}

// fillNeeds fills in the files of a step, or of one part of it.
func (b *build) fillNeeds(out *Needs, part int) (err error) {
	n := b.needsOf(out.Step)
	if n.kind != 0 {
		to := "part"
		if n.all {
			to = "all"
		}
		bytes, err := b.shuffledBytes(n, out.Parts)
		if err != nil {
			return err
		}
		out.Shuffled = []Shuffled{{Step: "read", Kind: n.kind, To: to, Bytes: bytes}}
	}
	if part >= 0 && n.each != nil {
		n.files, n.each = append(n.files, n.each(part)...), nil
	}
	if out.Files, err = b.describeAll(n.files); err != nil {
		return err
	}
	if out.Step == "read" {
		out.Inputs, err = b.inputsOf(part)
		return err
	}
	if n.each == nil {
		return nil
	}
	out.Each = map[string][]run.File{}
	for i := range out.Parts {
		if out.Each[strconv.Itoa(i+1)], err = b.describeAll(n.each(i)); err != nil {
			return err
		}
	}
	return nil
}

// describeAll describes files that are recorded.
func (b *build) describeAll(names []string) ([]run.File, error) {
	out := make([]run.File, len(names))
	for i, name := range names {
		var ok bool
		if out[i], ok = b.dir.Recorded(name); !ok {
			return nil, fmt.Errorf("%w: no stage and no part that is done has written %s", ErrTask, name)
		}
	}
	return out, nil
}

// inputsOf returns the inputs of all parts of the stage read, or of one.
func (b *build) inputsOf(part int) (map[string][]Input, error) {
	p, _, err := b.readParts()
	if err != nil {
		return nil, err
	}
	out := map[string][]Input{}
	for i, s := range p.todo {
		if part >= 0 && part != i {
			continue
		}
		inputs := []Input{}
		for _, n := range s.inputs() {
			inputs = append(inputs, Input{n, b.dir.Inputs()[n]})
		}
		out[strconv.Itoa(i+1)] = inputs
	}
	return out, nil
}

// inputs returns the numbers of the inputs that a stretch with an end reads.
func (s stretch) inputs() (out []int) {
	for i := range s.to.Next {
		if _, ended := s.from.in(i); !ended {
			out = append(out, i)
		}
	}
	return out
}

// checkInputs returns an error unless the inputs of a part of the stage read are there.
func (b *build) checkInputs(part int) error {
	all, err := b.inputsOf(part)
	if err != nil {
		return err
	}
	for _, in := range all[strconv.Itoa(part+1)] {
		if in.Digest != unreadableDigest && (sizeOf(in.Path) != in.Bytes || !isInput(in.Path, in.Input)) {
			return fmt.Errorf("%w: input %s is not there, or has another size than %d bytes", ErrTask, in.Path, in.Bytes)
		}
	}
	return nil
}

// nameInputs sets the inputs of a copy of a run, which must have been given as absolute paths.
func (b *build) nameInputs() error {
	for _, arg := range b.dir.Arguments() {
		if !filepath.IsAbs(arg) || filepath.Clean(arg) != arg {
			return fmt.Errorf("%w: begin the run with absolute paths of its inputs, not with %q, so that other machines find them", ErrTask, arg)
		}
	}
	for _, in := range b.dir.Inputs() {
		b.inputs = append(b.inputs, in.Path)
	}
	return nil
}

// pairStepBefore returns the step of the stage pair before another one.
func (b *build) pairStepBefore(step string) string {
	steps := b.pairSteps()
	if step == pairSelect { // which reads the candidates
		return pairSearch
	}
	at := slices.IndexFunc(steps, func(s stepOf) bool { return s.name == step })
	return steps[at-1].name
}
