package latency

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/evaluate"
)

// question is a request.
type question struct{ kind, path string }

// about is what the questions about a document need.
type about struct {
	url, other string // other is a neighbour or, without one, another document of the sample
	words      string // that it shares with other
	cluster    string
	crawled    bool
}

// kinds are the questions, each about a document.
var kinds = []struct {
	name string
	path func(d about) string // "" if the document has nothing to ask about
}{
	{"related", func(d about) string { return "/v1/related?url=" + escape(d.url) }},
	{"related, exact", func(d about) string { return "/v1/related?exact=true&url=" + escape(d.url) }},
	{"page", func(d about) string { return "/v1/page?url=" + escape(d.url) }},
	{"search", func(d about) string { return ifAny("/v1/search?q=", d.words) }},
	{"cluster", func(d about) string { return ifAny("/v1/cluster/", d.cluster) }},
	{"explain", func(d about) string { return "/v1/explain?a=" + escape(d.url) + "&b=" + escape(d.other) }},
	{"duplicates", func(d about) string {
		if !d.crawled {
			return ""
		}
		return "/v1/duplicates?url=" + escape(d.url)
	}},
	{"page as HTML", func(d about) string { return "/page?url=" + escape(d.url) }},
}

func ifAny(path, value string) string {
	if value == "" {
		return ""
	}
	return path + escape(value)
}

// draw returns the questions in the order in which they are asked: all kinds in turn, each about a document of its own.
func draw(run string, each int, seed uint64) ([]question, error) {
	r, err := runs.Open(run)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	ids := evaluate.Draw(r, 2*each*len(kinds), seed)
	if len(ids) < 2 {
		return nil, errors.New("the run has no documents with words")
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	var out []question
	asked := make([]int, len(kinds))
	for i, id := range ids {
		k := i % len(kinds)
		if asked[k] == each {
			continue
		}
		if path := kinds[k].path(describe(r, id, ids[(i+1)%len(ids)])); path != "" {
			out = append(out, question{kinds[k].name, path})
			asked[k]++
		}
	}
	return out, r.Err()
}

// describe returns what the questions about a document need.
func describe(r *runs.Run, id, other uint32) about {
	if near := topics.Related(r, id, topics.Lookup{Top: 1, Stored: true}); len(near) > 0 {
		other = near[0].ID
	}
	d := r.Document(id)
	return about{
		url: strings.Clone(d.URL), other: strings.Clone(r.URL(other)), words: strings.Clone(strings.Join(topics.Shared(r, id, other, topics.ByBoth, 3), " ")),
		cluster: topics.MembershipOf(r, id).ID, crawled: d.Crawled && r.Need("syntactic") == nil,
	}
}
