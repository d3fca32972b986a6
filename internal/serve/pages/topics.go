package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
)

// topics is the top of the tree of topics, or the topics whose labels have some words.
type topicsData struct {
	Lead, Label string
	Action      string // target of the form, "" in a report
	Run         string
	List        topicList
	None        Empty
}

// topicList lists topics with their sizes and their largest parts: partial "topics".
type topicList struct {
	Name string
	Rows []topicRow
	pager
}

type topicRow struct {
	Label     Link
	Documents int
	Topics    int
	Share     float64 // of the documents of the largest one
	Below     string  // labels of its largest parts
}

// Numbers of rows.
const (
	topicsOfPage = 60
	mostBelow    = 3 // parts that a row names
)

func showTopics(_ context.Context, q *Question) (*View, error) {
	if err := q.Run.Need(config.Topical); err != nil {
		return nil, err
	}
	tops := topics.Tops(q.Run.Run)
	d := &topicsData{Label: q.Args.Text("label"), Action: q.form("/topics"), Run: q.run}
	d.None = Empty{Text: "No topic has more than one document."}
	topicCount := int(q.Run.Manifest.Counts["topics"])
	d.Lead = counted(topicCount, "topic", "topics") + " of two or more documents. Those that are alike are parts of larger ones, of which " + counted(len(tops), "begins", "begin") + " the list."
	if d.Label != "" {
		tops = topics.WithLabel(q.Run.Run, topics.NewLabelWords(d.Label))
		d.None = Empty{Text: "No topic is called so.", Link: Link{"Pages about it", q.To("/search", "q", d.Label)}}
	}
	if d.Label != "" && len(tops) > 0 {
		d.Lead = counted(len(tops), "topic has", "topics have") + " these words in the label. Topics within one of them are not listed again."
	}
	v := &View{Title: "Topics", Accent: Web, JSON: q.JSON("tree"), Data: d}
	d.List, v.List = topicsIn(q, "Topics", tops, "/topics", "label", d.Label)
	return v, nil
}

// topicsIn returns the topics of a list that a question asks for, to show and as an answer, and leads to the others.
func topicsIn(q *Question, name string, all []topics.TreeNode, path string, args ...string) (topicList, *ask.BranchAnswer) {
	rows, p := q.portion(len(all), topicsOfPage, path, args...)
	shown := slices.Clone(all[rows.From:p.Last])
	return topicList{name, topicRows(q, shown), p}, &ask.BranchAnswer{Items: shown, Portion: ask.Portion{Total: len(all)}}
}

// topicRows returns rows for nodes, largest first, and completes the nodes.
func topicRows(q *Question, nodes []topics.TreeNode) (rows []topicRow) {
	for i, n := range nodes {
		nodes[i].Name = q.Run.NameOf(n.Center)
		row := topicRow{topicLink(q, n), n.Size, n.Topics, float64(n.Size) / float64(max(1, nodes[0].Size)), ""}
		if n.Level > 0 {
			below := topics.Children(q.Run.Run, n)
			nodes[i].Children = len(below)
			for i, b := range below[:min(len(below), mostBelow)] {
				row.Below += map[bool]string{true: " · "}[i > 0] + topicLink(q, b).Text
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// topicLink returns the link to a node of the tree.
func topicLink(q *Question, n topics.TreeNode) Link {
	return Link{cmp.Or(n.Label, nameOf(q.Run, n.Center)), q.Cluster(config.Topical, n.ID)}
}

// mostBest is the number of documents that are shown as the best linked.
const mostBest = 10

// bestLinked shows documents that most hosts link to or, within one host, most pages.
func bestLinked(q *Question, best []uint32) *Bars {
	b := &Bars{Caption: "Best linked, and how many hosts link to each"}
	left := room(20_000)
	for _, id := range best {
		d, name := q.Run.Document(id), nameOf(q.Run, id)
		if !left.spend(1, name, d.URL) {
			break
		}
		n := int(d.InHosts)
		if one := q.Run.Document(best[0]).InHosts < 2; one {
			n, b.Caption = int(d.InLinks), "Best linked, and how many pages link to each"
		}
		b.List = append(b.List, Bar{Link{name, q.Page(d.URL)}, n, 1, Web})
		b.List[len(b.List)-1].Share = float64(n) / float64(max(1, b.List[0].Value))
	}
	if len(b.List) == 0 || b.List[0].Value < 2 {
		return nil // none is better linked than others
	}
	return b
}
