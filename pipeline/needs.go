package pipeline

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// needs are the files that the parts of a step read, apart from the state of the run and inputs. What no later step needs
// is removed: see freeUnread.
type needs struct {
	files []string                // that every part reads
	steps []string                // earlier steps of the stage, whose files are among these
	each  func(part int) []string // that one part reads as well, whose number is that of a partition; nil: none
	links links                   // what a part reads of the fragments
}

// links says which fragments a part reads.
type links int

const (
	noLinks  links = iota
	ownLinks       // those of the partition that has its number
	allLinks       // those of all partitions
)

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
			n.links, n.files = allLinks, append(n.files, b.partFiles()...)
		}
	case "group":
		n.files = []string{supersededFile, repeatedFile, tables.RedirectsFile}
		if slices.Contains(b.dir.Outputs("redirect"), redirectedFile) {
			n.files = append(n.files, redirectedFile)
		}
		n.links, n.files = ownLinks, append(n.files, b.partFiles()...)
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
		n.files = append([]string{supersededFile, tables.DocumentsFile}, b.partFiles()...)
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

// endNeeds returns what the end of a stage reads, which puts the parts of its steps together: files of earlier stages, and
// steps.
func (b *build) endNeeds(stage string) (n needs) {
	for _, s := range b.stepsOf(stage) {
		n.steps = append(n.steps, s.name)
	}
	switch stage {
	case "group":
		n.files = []string{wordsFile}
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

// pairStepBefore returns the step of the stage pair before another one.
func (b *build) pairStepBefore(step string) string {
	steps := b.pairSteps()
	if step == pairSelect { // which reads the candidates
		return pairSearch
	}
	at := slices.IndexFunc(steps, func(s stepOf) bool { return s.name == step })
	return steps[at-1].name
}
