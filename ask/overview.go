package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// Overview asks what a run is about: its largest topics with their parts. At most one of the first three options chooses
// other topics.
type Overview struct {
	ID       string `pattern:"^[0-9a-f]{16}(\\.[0-9]{1,3})?$" most:"20" doc:"show the parts of the topic with this id"`
	Label    string `most:"200" value:"WORDS" doc:"show the largest topics whose labels have all of these words"`
	Contains string `value:"URL" doc:"show the topics that contain the document at this URL, from the top to the leaf"`
	Window   `limit:"40"`
}

// OverviewAnswer is the picture of a run, or of a topic, in numbers.
type OverviewAnswer struct {
	Lead      string `json:"lead" doc:"the picture in words"`
	Documents int    `json:"documents" doc:"of the topics, listed or not"`
	Items     []Area `json:"items" doc:"topics, largest first"`
	More      []Area `json:"-"` // the next topics, by name and size only
	Portion
}

// Area is a topic in an overview.
type Area struct {
	ID        string     `json:"id"`
	Title     string     `json:"title" doc:"the site that has half of the documents, else the first phrase of the label"`
	Also      string     `json:"also" doc:"the other phrases"`
	Documents int        `json:"documents"`
	Topics    int        `json:"topics" doc:"leaves"`
	Sites     float64    `json:"sites" doc:"number of sites of equal sizes that would be as diverse"`
	Site      string     `json:"site" doc:"the one with the most of the documents"`
	SiteShare float64    `json:"site_share" doc:"its share of the documents"`
	Examples  []runs.Ref `json:"examples" doc:"documents that most hosts link to"`
	Parts     []Area     `json:"parts" doc:"the largest parts, without examples and parts"`
	MoreParts int        `json:"more_parts" doc:"number of parts that are not listed"`
	Above     string     `json:"above,omitempty" doc:"labels of the topics that contain it, from the top, unless all items are in the same"`

	node TreeNode
}

// Bounds on what an overview shows.
const (
	areaParts    = 5
	areaExamples = 2
	leafExamples = 6  // of a topic without parts
	moreAreas    = 24 // that are named only
)

// Ask answers the question. That about a whole run is answered once.
func (o Overview) Ask(ctx context.Context, r *runs.Run) (*OverviewAnswer, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	switch {
	case o.Contains != "":
		id, err := Lookup(r, o.Contains)
		if err != nil {
			return nil, err
		}
		return o.chosen(ctx, r, topics.PathTo(r, id))
	case o.Label != "":
		return o.chosen(ctx, r, topics.WithLabel(r, topics.NewLabelWords(o.Label)))
	case o.ID != "":
		path, err := topics.Branch(r, o.ID)
		if err != nil {
			return nil, err
		}
		return o.picture(ctx, r, topics.Children(r, path[len(path)-1]))
	}
	return runs.Result(ctx, r, nil, fmt.Sprint("overview ", o.Window), "The topics of the run are being counted, once.",
		func(ctx context.Context) (*OverviewAnswer, error) { return o.picture(ctx, r, topics.Tops(r)) })
}

// chosen shows topics with the labels of those above them.
func (o Overview) chosen(ctx context.Context, r *runs.Run, nodes []TreeNode) (*OverviewAnswer, error) {
	a, err := o.picture(ctx, r, nodes)
	if err != nil {
		return nil, err
	}
	for i := range a.Items {
		path, err := topics.Branch(r, a.Items[i].ID)
		if err != nil {
			return nil, err
		}
		_, a.Items[i].Above = pathOf(path[:len(path)-1])
	}
	a.Lead = "No topic is called so."
	if a.Total > 0 {
		a.Lead = fmt.Sprintf("Topics with these words in their labels: %d.", a.Total)
	}
	if o.Contains != "" {
		a.Lead = "From the top to the leaf, each topic contains the next."
	}
	return a, r.Err()
}

func (o Overview) picture(ctx context.Context, r *runs.Run, nodes []TreeNode) (*OverviewAnswer, error) {
	out := &OverviewAnswer{}
	for _, n := range nodes {
		out.Documents += n.Size
	}
	for _, n := range Cut(&out.Portion, nodes, o.Window) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a := area(r, n, true)
		parts := topics.Children(r, n)
		for _, part := range parts[:min(len(parts), areaParts)] {
			a.Parts = append(a.Parts, area(r, part, true))
		}
		a.MoreParts = len(parts) - len(a.Parts)
		a.Examples = examples(r, n, map[bool]int{true: leafExamples, false: areaExamples}[len(parts) == 0])
		out.Items = append(out.Items, a)
	}
	for _, n := range nodes[len(out.Items):min(len(nodes), len(out.Items)+moreAreas)] {
		out.More = append(out.More, area(r, n, false))
	}
	title(out.Items)
	for i := range out.Items {
		title(out.Items[i].Parts)
	}
	out.Lead = out.said()
	return out, r.Err()
}

// examples returns documents of a topic that most hosts link to, no two of one name.
func examples(r *runs.Run, n TreeNode, most int) []runs.Ref {
	out := []runs.Ref{}
	for _, id := range topics.BestLinked(r, n, 4*most) {
		ref := runs.RefOf(r, id)
		if len(out) < most && !slices.ContainsFunc(out, func(o runs.Ref) bool { return o.Name != "" && o.Name == ref.Name }) {
			out = append(out, ref)
		}
	}
	return out
}

// EachLeaf calls leaf with the documents of each topic of the answer, leaf by leaf, those that most hosts link to first. A
// topic within the one before is not listed again.
func (o *OverviewAnswer) EachLeaf(ctx context.Context, r *Run, leaf func(*ClusterAnswer) error) error {
	for i, a := range o.Items {
		if i > 0 && topics.Within(r, a.node, o.Items[i-1].node) {
			continue
		}
		for _, n := range topics.Leaves(r, a.node) {
			c, err := TopicMembers(r, n.ID, Window{})
			if err := errors.Join(ctx.Err(), err); err != nil {
				return err
			}
			if err := leaf(c); err != nil {
				return err
			}
		}
	}
	return r.Err()
}

// AreaOf returns a topic without its examples and parts.
func AreaOf(r *Run, n TreeNode) Area { return area(r, n, true) }

// area returns a topic, perhaps with its sites.
func area(r *runs.Run, n TreeNode, sites bool) Area {
	a := Area{ID: n.ID, Documents: n.Size, Topics: n.Topics, Examples: []runs.Ref{}, Parts: []Area{}, node: n}
	a.Title, a.Also, _ = strings.Cut(n.Label, ", ")
	a.Title = cmp.Or(a.Title, r.NameOf(n.Center))
	if !sites {
		return a
	}
	counts := map[string]int{}
	for _, id := range topics.DocumentsOf(r, n) {
		counts[urls.Place(r.URL(id))]++
	}
	var numbers []int
	for site, k := range counts {
		numbers = append(numbers, k)
		share := float64(k) / float64(n.Size)
		if share > a.SiteShare || share == a.SiteShare && site < a.Site {
			a.Site, a.SiteShare = strings.Clone(site), share
		}
	}
	slices.Sort(numbers) // the sum of floating point numbers depends on the order
	entropy := 0.0
	for _, k := range numbers {
		p := float64(k) / float64(n.Size)
		entropy -= float64(p * math.Log(p))
	}
	a.Sites = math.Round(10*math.Exp(entropy)) / 10
	return a
}

// IDs returns the ids of the documents of a topic. The caller must not modify the slice.
func (a *Area) IDs(r *Run) []uint32 { return topics.DocumentsOf(r, a.node) }

// ofSite reports whether a site has half of the documents, which are several.
func (a *Area) ofSite() bool { return a.SiteShare >= 0.5 && a.SiteShare*float64(a.Documents) >= 3 }

// title names each of some topics, the largest first: by the site that has half of its documents, unless the same site has
// half of another one; else by the first phrase of its label that names no topic before it.
func title(areas []Area) {
	sites, used := map[string]int{}, map[string]bool{}
	for _, a := range areas {
		if a.ofSite() {
			sites[a.Site]++
		}
	}
	for i := range areas {
		a := &areas[i]
		phrases := strings.Split(a.node.Label, ", ")
		free := slices.IndexFunc(phrases, func(p string) bool { return !used[strings.ToLower(p)] })
		switch _, repository, _ := strings.Cut(a.Site, "/"); {
		case a.ofSite() && sites[a.Site] == 1 && len(areas) > 1:
			a.Title, a.Also = cmp.Or(repository, a.Site), a.node.Label
		case free > 0:
			a.Title = phrases[free]
			a.Also = strings.Join(slices.Delete(phrases, free, free+1), ", ")
		}
		used[strings.ToLower(a.Title)] = true
	}
}

// said puts the picture in words.
func (o *OverviewAnswer) said() string {
	const most = 6
	if len(o.Items) == 0 {
		return "No topic has more than one document."
	}
	var names []string
	documents := 0
	for _, a := range o.Items[:min(len(o.Items), most)] {
		names = append(names, a.Title)
		documents += a.Documents
	}
	last := len(names) - 1
	said := names[last]
	if last > 0 {
		said = strings.Join(names[:last], ", ") + " and " + said
	}
	if o.Total <= most {
		return said + "."
	}
	return fmt.Sprintf("Mostly %s. %.0f %% of the documents are in these %d of the %d topics at the top.", said,
		100*float64(documents)/float64(o.Documents), most, o.Total)
}
