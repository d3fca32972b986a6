package texts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// sentence returns words of a text that depends on a seed.
func sentence(seed uint64, words int) []string {
	rng, out := rand.New(rand.NewPCG(seed, 7)), make([]string, words)
	for i := range out {
		out[i] = fmt.Sprintf("w%d", rng.IntN(5000))
	}
	return out
}

// doorways returns pages of one text in which a name is replaced, with other pages of the host.
func doorways(n, others int) (docs []string) {
	common := sentence(1, 200)
	add := func(url string, words []string) {
		docs = append(docs, fmt.Sprintf(`{"url":"https://p.example/%s","html":"<title>%s</title><p>%s</p>"}`, url, url, strings.Join(words, " ")))
	}
	for i := range n {
		words, name := slices.Clone(common), fmt.Sprintf("city%d", i)
		words[20], words[120] = name, name
		add(name, words)
	}
	for i := range others {
		add(fmt.Sprintf("other%d", i), sentence(uint64(100+i), 300))
	}
	return docs
}

// TestDoorwayPages checks that pages whose text is nearly all on most pages of their host resemble one another, however
// many other pages the host has, and that a query for their text finds them all.
func TestDoorwayPages(t *testing.T) {
	for _, others := range []int{0, 10} {
		r := runtest.Opened(t, runtest.Preset(t, "web"), doorways(14, others))
		id, _ := r.Lookup("https://p.example/city0")
		list, all, err := Duplicates(r, id, 100)
		if err != nil || !all || len(list) != 13 {
			t.Errorf("%d other pages: %d duplicates of 13, %v", others, len(list), err)
		}
		words := sentence(1, 200)
		found, err := Who(r, []byte(strings.Join(words, " ")), WhoOptions{Min: 0.5})
		if err != nil || len(found.Items) != 14 || !found.Certainty.Exact() {
			t.Errorf("%d other pages: a query finds %d of 14, %+v, %v", others, len(found.Items), found.Certainty, err)
		}
	}
}

// TestQuerySaysWhatIsBoilerplate checks that an answer is not called exact if it leaves out pages that share boilerplate.
func TestQuerySaysWhatIsBoilerplate(t *testing.T) {
	menu := sentence(1, 60)
	var docs []string
	for i := range 20 {
		docs = append(docs, fmt.Sprintf(`{"url":"https://p.example/%d","html":"<title>%d</title><p>%s %s</p>"}`, i, i, strings.Join(menu, " "), strings.Join(sentence(uint64(i+2), 60), " ")))
	}
	r := runtest.Opened(t, runtest.Preset(t, "web"), docs)
	text := strings.Join(append(slices.Clone(menu), sentence(99, 60)...), " ")
	found, err := Who(r, []byte(text), WhoOptions{Min: 0.2})
	if c := found.Certainty; err != nil || len(found.Items) != 0 || c.Stripped != 20 || c.LeftOut == 0 || c.Exact() {
		t.Errorf("%d pages, %+v, %v", len(found.Items), c, err)
	}
}

// TestNoticesAreFound checks that pages with a label equal one another and are found by their text.
func TestNoticesAreFound(t *testing.T) {
	const wall = `"html":"<title>News</title><p>Accept all cookies to read the news of the town by the sea today</p>"}`
	r := runtest.Opened(t, runtest.Preset(t, "web"), []string{`{"url":"https://a.example/x",` + wall, `{"url":"https://b.example/x",` + wall})
	id, _ := r.Lookup("https://a.example/x")
	list, _, err := Duplicates(r, id, 10)
	if err != nil || len(list) != 1 || list[0].Relation != "identical" || list[0].Label != "consent" {
		t.Errorf("%+v, %v", list, err)
	}
	found, err := Who(r, []byte("Accept all cookies to read the news of the town by the sea today"), WhoOptions{Min: 0.2})
	if err != nil || len(found.Items) != 2 || found.Items[0].Label != "consent" {
		t.Errorf("%+v, %v", found, err)
	}
}
