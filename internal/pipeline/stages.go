package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// stage is a row of the table of stages.
type stage struct {
	name   string
	writes []string // its outputs, except those that a single part names
	steps  []step
	// end joins the files of all parts to the outputs, and returns the statistics of the stage. If it is nil, the
	// files of the only part are the outputs.
	end   func(ctx context.Context, from *opened) (run.StageStats, error)
	reads []string // intermediate files of earlier stages that end reads
	keeps []string // steps whose files end reads; nil means all
	// work is what a local run does instead of the steps; nil means the steps.
	work func(ctx context.Context) (run.StageStats, error)
	also func() []string // further outputs, known when the work is done
}

// step is a step of a stage.
type step struct {
	name   string                // begins the names of the files of its parts; begins with the name of the stage
	reads  []string              // intermediate files of earlier stages that its parts read
	after  []string              // earlier steps of the stage whose files its parts read
	ofRead bool                  // whether its parts read the parts of the stage read
	plan   func() (*plan, error) // called after the earlier steps are done
}

// The methods of the stages are on types of their own. Each embeds the build, whose methods they share.
type (
	readStage       struct{ *build }
	redirectStage   struct{ *build }
	groupStage      struct{ *build }
	weighStage      struct{ *build }
	signStage       struct{ *build }
	invertStage     struct{ *build }
	pairStage       struct{ *build }
	clusterStage    struct{ *build }
	treeStage       struct{ *build }
	syntacticStages struct{ *build } // shingle, index, equal, resemble and union
	publishStage    struct{ *build }
)

// stages returns the table of the stages of a run, in order. Stages that read most of what earlier ones left come
// first, so that it can be removed. Tables of the run are not listed as read, because they are never removed.
func (b *build) stages() (out []stage) {
	read, group, sign, cluster, tree, syntactic := readStage{b}, groupStage{b}, signStage{b}, clusterStage{b}, treeStage{b}, syntacticStages{b}
	raw := b.rawFiles()
	of, ok := b.dir.Stats("read")
	redirects := !ok || of.Counts["redirects"] > 0
	for _, row := range []struct {
		view string // "" for both
		stage
	}{
		{"", stage{
			name: "read", work: read.read, also: b.fromRead().names, steps: []step{{name: "read", plan: read.readStep}},
			writes: []string{wordsFile, supersededFile, repeatedFile, hostsFile, ledgerFile, redirectsFile, run.DroppedList},
		}},
		{"", stage{name: "redirect", steps: whole(step{name: "redirect", reads: []string{redirectsFile}, ofRead: redirects}, redirectStage{b}.redirect)}},
		{"", stage{
			name: "group", end: group.joinGroups, reads: []string{wordsFile},
			steps:  []step{{name: "group", reads: []string{supersededFile, repeatedFile, hostsFile, redirectedFile}, ofRead: true, plan: group.groupStep}},
			writes: append([]string{tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.TermsFile, tables.CapturesFile, languagesFile}, raw...),
		}},
		{config.Topical, stage{
			name: "weigh", end: weighStage{b}.joinBags,
			steps:  []step{{name: "weigh", reads: append([]string{languagesFile}, raw...), plan: weighStage{b}.weighStep}},
			writes: []string{tables.BagsFile},
		}},
		{config.Syntactic, stage{name: "shingle", steps: whole(step{name: "shingle", reads: []string{supersededFile}, ofRead: true}, syntactic.shingle)}},
		{config.Topical, stage{
			name: "sign", end: sign.joinSignatures, steps: []step{{name: signNodes, plan: one(sign.findNodes)}, {name: "sign", plan: sign.signStep}},
			writes: []string{tables.NodesFile, signaturesFile},
		}},
		{config.Topical, stage{
			name: "invert", end: invertStage{b}.joinSegments, steps: []step{{name: "invert", plan: invertStage{b}.invertStep}}, writes: []string{tables.InvertedFile},
		}},
		{config.Topical, pairStage{b}.pairing()},
		{config.Topical, stage{
			name: "cluster", end: cluster.joinClusters, writes: []string{tables.ClustersFile},
			steps: []step{
				{name: clusterCenters, plan: one(cluster.findCenters)},
				{name: clusterLabels, after: []string{clusterCenters}, plan: cluster.labelsStep},
			},
		}},
		{config.Topical, stage{
			name: "tree", end: tree.joinTree, writes: []string{tables.TreeFile},
			steps: []step{
				{name: treeBuild, plan: one(tree.buildTree)},
				{name: treeLabels, after: []string{treeBuild}, plan: tree.labelsStep},
			},
		}},
		{config.Syntactic, stage{name: "index", steps: whole(step{name: "index"}, syntactic.index)}},
		{config.Syntactic, stage{name: "equal", steps: whole(step{name: "equal"}, syntactic.equal)}},
		{config.Syntactic, stage{name: "resemble", steps: whole(step{name: "resemble"}, syntactic.resemble)}},
		{config.Syntactic, stage{name: "union", steps: whole(step{name: "union"}, syntactic.union)}},
		{"", publishStage{b}.publishing()},
	} {
		if (row.view == "" || b.config.Has(row.view)) && (row.name != "index" || b.config.Indexed) {
			out = append(out, row.stage)
		}
	}
	return out
}

// pairing returns the row of the stage pair, whose steps depend on the configuration.
func (b pairStage) pairing() stage {
	choose, order := step{name: pairChoose, plan: one(b.chooseIndex)}, step{name: pairOrder, after: []string{pairChoose}, plan: one(b.orderNodes)}
	buckets := step{name: pairBuckets, after: []string{pairChoose}, plan: b.bucketsStep}
	large := step{name: pairLarge, after: []string{pairChoose, pairBuckets}, plan: b.largeStep}
	search := step{name: pairSearch, after: []string{pairChoose, pairOrder, pairLarge}, plan: b.searchStep}
	steps := []step{choose, buckets, large, search}
	if b.config.Neighbours > 0 {
		last := pairSelect
		steps = []step{choose, order, buckets, large, search, {name: last, after: []string{pairChoose, pairOrder, pairSearch}, plan: b.selectStep}}
		for i := range b.config.Rounds {
			before, round := last, i+1
			last = pairRound(round)
			steps = append(steps, step{name: last, after: []string{pairChoose, pairOrder, before}, plan: func() (*plan, error) { return b.roundStep(round, before) }})
		}
		steps = append(steps, step{name: pairSort, after: []string{pairChoose, pairOrder, last}, plan: func() (*plan, error) { return b.sortStep(last) }})
	}
	for i := range steps {
		steps[i].reads = []string{signaturesFile}
	}
	return stage{
		name: "pair", end: b.joinPairs, steps: steps, keeps: []string{pairChoose, steps[len(steps)-1].name}, writes: []string{tables.PairsFile},
	}
}

// publishing returns the row of the stage publish: two steps for each table that may be divided, and one for the
// others.
func (b publishStage) publishing() stage {
	s := stage{name: "publish", end: b.endPublish, reads: []string{ledgerFile, commonFile}, keeps: []string{"publish"}} // and the manifest
	for _, t := range b.published() {
		s.writes = append(s.writes, t.name)
		if t.join != nil {
			join := t.step() + "-join"
			s.keeps = append(s.keeps, join)
			s.steps = append(s.steps, step{name: t.step(), plan: func() (*plan, error) { return b.sharesStep(t) }},
				step{name: join, after: []string{t.step()}, plan: func() (*plan, error) { return b.joinStep(t) }})
		}
	}
	s.steps = append(s.steps, step{name: "publish", plan: b.tablesStep})
	return s
}

// stage returns the named stage. It has no steps if the run has no such stage.
func (b *build) stage(name string) stage {
	for _, s := range b.stages() {
		if s.name == name {
			return s
		}
	}
	return stage{}
}

// one returns the plan of a step with one part, done by all workers together.
func one(do partFunc) func() (*plan, error) {
	return func() (*plan, error) {
		return &plan{parts: 1, together: true, open: func(context.Context, int, *opened) (partFunc, error) { return do, nil }}, nil
	}
}

// whole returns the only step of a stage whose work is small or cannot be divided, such as union-find. Its only part
// writes the outputs of the stage.
func whole(s step, work func(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error)) []step {
	s.plan = one(func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
		stats, err := work(ctx, at.from, out)
		out.note = stats
		return nil, err
	})
	return []step{s}
}
