// Package links measures whether the links that lshclust links suggests are links that a site has.
//
//	lab links [-take 2000] [-cut] PAGES.jsonl DIRECTORY
//	lab links -fit PAGES.jsonl DIRECTORY [PAGES.jsonl DIRECTORY...]
//
// It takes links between pages of a host away, both directions of a pair at once, clusters the rest into DIRECTORY/run,
// and counts how many suggestions are links that were taken away: for each page that lost a link, the first 1, 3 and 10.
// By default the words of a link stay; with -cut they go, too. Every other suggestion counts as wrong, though many are
// links that the page might have. Links in what looks like a menu, and outside of the element with the role main if there
// is one, are not taken.
//
// Two other ways to suggest links are measured on the same pages: the cosine of the tf-idf of their words, and the number
// of pages that link to both, divided by the square root of the product of the numbers that link to each.
package links

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/lshclust/lshclust"
	"github.com/zeebo/xxh3"
	"golang.org/x/sys/unix"
	"gonum.org/v1/gonum/floats"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/lab/fit"
)

// page is a line of the input.
type page struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
	name string // canonical URL
}

// link is a link between two pages by their canonical URLs.
type link struct{ from, to string }

func (l link) back() link { return link{l.to, l.from} }

var anchor = regexp.MustCompile(`(?is)<a\s[^>]*?href\s*=\s*["']([^"'>]*)["'][^>]*>(.*?)</a\s*>`)

var tags = regexp.MustCompile(`<[^>]*>`)

// Command runs the trial.
func Command(args []string) error {
	f := flag.NewFlagSet("links", flag.ContinueOnError)
	take := f.Int("take", 2000, "number of pairs of pages whose links are taken away")
	cut := f.Bool("cut", false, "take the words of the links, too")
	least := f.Float64("least", 0, "least score of a suggestion")
	fitted := f.Bool("fit", false, "fit the weights of the score to the links that were taken away")
	show := f.Int("show", 0, "number of suggestions to print")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() < 2 || f.NArg()%2 != 0 || f.NArg() > 2 && !*fitted {
		return fmt.Errorf("want PAGES.jsonl and DIRECTORY, with -fit perhaps of several sites, got %d arguments", f.NArg())
	}
	var sites []lossy
	for i := 0; i < f.NArg(); i += 2 {
		s, err := prepare(f.Arg(i), f.Arg(i+1), *take, *cut)
		if err != nil {
			return err
		}
		defer s.run.Close()
		sites = append(sites, s)
	}
	if *fitted {
		return fitScore(sites)
	}
	return measure(sites[0].run, sites[0].taken, *least, *show)
}

// lossy is a site without some of its links.
type lossy struct {
	name  string
	run   *runs.Run
	taken map[link]bool
}

// prepare takes links away from pages and clusters the rest in a folder.
func prepare(input, dir string, take int, cut bool) (s lossy, err error) {
	pages, err := read(input)
	if err != nil {
		return s, err
	}
	s = lossy{name: filepath.Base(dir), taken: choose(pages, take)}
	lines, run := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	if err := without(pages, s.taken, cut, lines); err != nil {
		return s, err
	}
	if err := os.RemoveAll(run); err != nil {
		return s, err
	}
	s.run, err = lshclust.Cluster(context.Background(), run, []string{lines}, lshclust.Options{})
	return s, err
}

// half is 0 for the pages to whose suggestions the weights are fitted, and 1 for those on which they are tested.
func half(url string) int { return int(xxh3.HashString(url) % 2) }

// judged is a suggestion for a page that lost links.
type judged struct {
	from    string
	figures []float64
	right   bool
}

// fitScore chooses the weights of the score by the half dev of each site: those of which the largest loss of recall at 1, 3 and
// 10 against the best weights of a site alone is the least, times a factor, and with a constant, by which the scores are most
// probable if each site counts as much as any other. It prints the recall of both halves by the weights of today and by those.
func fitScore(sites []lossy) error {
	var of [][]judged
	for i := range sites {
		list, err := sites[i].suggestions()
		if err != nil {
			return err
		}
		of = append(of, list)
	}
	const lo, hi = 12, 30 // in twentieths of the last weight
	var tried [][]float64
	var found [][]float64 // recall by site and number
	best := make([]float64, 3*len(sites))
	for to := lo; to <= hi; to++ {
		for linked := lo; linked <= hi; linked++ {
			for words := lo; words <= hi; words += 2 {
				w := []float64{0, float64(to) / 20, float64(linked) / 20, float64(words) / 20, 1}
				var recall []float64
				for i := range sites {
					hits := sites[i].hits(of[i], w)
					for k, n := range hits {
						recall = append(recall, n)
						best[3*i+k] = max(best[3*i+k], n)
					}
				}
				tried, found = append(tried, w), append(found, recall)
			}
		}
	}
	worst := func(recall []float64) (loss float64) {
		for k := range recall {
			loss = max(loss, best[k]-recall[k])
		}
		return loss
	}
	at := 0
	for i := range found {
		if worst(found[i]) < worst(found[at]) {
			at = i
		}
	}
	var choices []fit.Choice
	for _, list := range of {
		for _, j := range list {
			c := fit.Choice{Candidates: [][]float64{{1, floats.Dot(tried[at], j.figures)}}, Right: -1, Times: 1000 / float64(len(list))}
			if j.right {
				c.Right = 0
			}
			choices = append(choices, c)
		}
	}
	scale, errors, err := fit.Weights(choices, 1e-6)
	if err != nil {
		return err
	}
	weights := slices.Clone(tried[at])
	floats.Scale(scale[1], weights)
	weights[0] = scale[0]
	fmt.Printf("%d suggestions; at most %.4f of recall lost; errors of constant and factor: %.2f\n", len(choices), worst(found[at]), errors)
	fit.Print([]string{"constant", "to", "linked", "words", "similar"}, weights, nil, site.MissingWeights[:])
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "site\tweights\tdev: links\trecall at 1\t3\t10\tloss\ttest: links\trecall at 1\t3\t10\tloss")
	before := site.MissingWeights
	for _, s := range sites {
		for _, of := range []struct {
			name    string
			weights []float64
		}{{"now", before[:]}, {"fitted", weights}} {
			site.MissingWeights = [5]float64(of.weights)
			if err := s.recall(w, of.name); err != nil {
				return err
			}
		}
		site.MissingWeights = before
	}
	return w.Flush()
}

// suggestions returns all suggestions for the pages of the half dev that lost links, whatever their scores.
func (s *lossy) suggestions() (out []judged, err error) {
	missing, err := s.missing(math.MaxInt)
	lost := map[string]bool{}
	for l := range s.taken {
		lost[l.from] = true
	}
	for _, m := range missing {
		if from := s.run.URL(m.From); lost[from] && half(from) == 0 {
			out = append(out, judged{from, slices.Clone(m.Figures[:]), s.taken[link{from, s.run.URL(m.To)}]})
		}
	}
	return out, err
}

// hits returns the recall at 1, 3 and 10 of suggestions, those of a page together, in the order of some weights.
func (s *lossy) hits(list []judged, weights []float64) (recall [3]float64) {
	all := 0.0
	for l := range s.taken {
		if half(l.from) == 0 {
			all++
		}
	}
	for of := range sets.Runs(list, func(a, b judged) bool { return a.from == b.from }) {
		order := make([]int, len(of))
		u := make([]float64, len(of))
		for i := range of {
			order[i], u[i] = i, floats.Dot(weights, of[i].figures)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[b], u[a]) })
		for k, most := range []int{1, 3, 10} {
			for _, i := range order[:min(most, len(order))] {
				if of[i].right {
					recall[k] += 1 / all
				}
			}
		}
	}
	return recall
}

func (s *lossy) missing(most int) ([]site.MissingLink, error) {
	found, err := site.ReadLinks(context.Background(), s.run, "")
	if err != nil {
		return nil, err
	}
	return found.Missing(context.Background(), most, 0)
}

// recall prints the recall of both halves of the pages and the mean logarithmic loss of the scores.
func (s *lossy) recall(w io.Writer, name string) error {
	missing, err := s.missing(math.MaxInt)
	if err != nil {
		return err
	}
	lost, rank := map[string]int{}, map[string]int{}
	for l := range s.taken {
		lost[l.from]++
	}
	var all, made [2]int
	var hits [2][3]int
	var loss [2]float64
	for from, n := range lost {
		all[half(from)] += n
	}
	for _, m := range missing {
		from := s.run.URL(m.From)
		if lost[from] == 0 {
			continue
		}
		h, p := half(from), m.Score
		if rank[from]++; s.taken[link{from, s.run.URL(m.To)}] {
			for k, most := range []int{1, 3, 10} {
				if rank[from] <= most {
					hits[h][k]++
				}
			}
		} else {
			p = 1 - p
		}
		made[h]++
		loss[h] -= math.Log(max(p, 1e-9))
	}
	fmt.Fprintf(w, "%s\t%s", s.name, name)
	for h := range all {
		fmt.Fprintf(w, "\t%d", all[h])
		for _, n := range hits[h] {
			fmt.Fprintf(w, "\t%.3f", float64(n)/float64(all[h]))
		}
		fmt.Fprintf(w, "\t%.3f", loss[h]/float64(made[h]))
	}
	fmt.Fprintln(w)
	return nil
}

func read(path string) (pages []page, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var p page
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		if p.name, err = urls.DefaultRules().Canonical(p.URL); err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// eachLink calls f with each link of a page to another page of its host: where its markup is, and where its words are.
func eachLink(p *page, known map[string]bool, f func(l link, place []int)) {
	base, err := urls.Base(p.URL, "")
	if err != nil {
		return
	}
	for _, at := range anchor.FindAllStringSubmatchIndex(p.HTML, -1) {
		to, err := urls.DefaultRules().Resolve(base, strings.ReplaceAll(p.HTML[at[2]:at[3]], "&amp;", "&"))
		if err == nil && known[to] && to != p.name && urls.Host(to) == urls.Host(p.name) {
			f(link{p.name, to}, at)
		}
	}
}

// choose chooses pairs of linked pages by a hash, and returns their links.
func choose(pages []page, n int) map[link]bool {
	known, pagesWith, size := map[string]bool{}, map[string]map[string]bool{}, map[string]int{}
	for _, p := range pages {
		known[p.name] = true
		size[urls.Host(p.name)]++
	}
	key := func(p *page, l link, at []int) string { return l.to + " " + plain(p.HTML[at[4]:at[5]]) }
	for i := range pages {
		eachLink(&pages[i], known, func(l link, at []int) {
			k := key(&pages[i], l, at)
			if pagesWith[k] == nil {
				pagesWith[k] = map[string]bool{}
			}
			pagesWith[k][l.from] = true
		})
	}
	all := map[link]bool{}
	for i := range pages {
		p := &pages[i]
		from, to := 0, len(p.HTML)
		if m := strings.Index(p.HTML, `role="main"`); m >= 0 {
			from = m
			if e := strings.Index(p.HTML[m:], `<div class="clearer">`); e >= 0 {
				to = m + e
			}
		}
		eachLink(p, known, func(l link, at []int) {
			n := len(pagesWith[key(p, l, at)])
			if at[0] >= from && at[1] <= to && plain(p.HTML[at[4]:at[5]]) != "" && (n < 8 || float64(n) < 0.2*float64(size[urls.Host(p.name)])) {
				all[l] = true
			}
		})
	}
	list := make([]link, 0, len(all))
	for l := range all {
		if l.from < l.to || !all[l.back()] {
			list = append(list, l)
		}
	}
	hash := func(l link) uint64 { return xxh3.HashString(l.from + " " + l.to) }
	slices.SortFunc(list, func(a, b link) int { return cmp.Compare(hash(a), hash(b)) })
	taken := map[link]bool{}
	for _, l := range list[:min(n, len(list)/2)] {
		taken[l] = true
		if all[l.back()] {
			taken[l.back()] = true
		}
	}
	fmt.Printf("%d pages, %d links between them, %d taken away\n", len(pages), len(all), len(taken))
	return taken
}

func plain(markup string) string {
	return strings.ToLower(strings.Join(strings.Fields(tags.ReplaceAllString(markup, "")), " "))
}

// without writes the pages without the links between the pairs.
func without(pages []page, taken map[link]bool, cut bool, path string) error {
	known := map[string]bool{}
	for _, p := range pages {
		known[p.name] = true
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	e := json.NewEncoder(f)
	for i := range pages {
		p := pages[i]
		var b strings.Builder
		done := 0
		eachLink(&p, known, func(l link, at []int) {
			if !taken[l] && !taken[l.back()] {
				return
			}
			b.WriteString(p.HTML[done:at[0]])
			if !cut {
				b.WriteString(p.HTML[at[4]:at[5]])
			}
			done = at[1]
		})
		p.HTML = b.String() + p.HTML[done:]
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	return f.Close()
}

// suggestion is a link that a method suggests.
type suggestion struct {
	to    uint32
	score float64
}

func measure(r *runs.Run, taken map[link]bool, least float64, show int) error {
	ctx := context.Background()
	begin := processor()
	found, err := site.ReadLinks(ctx, r, "")
	if err != nil {
		return err
	}
	missing, err := found.Missing(ctx, 10, least)
	if err != nil {
		return err
	}
	fmt.Printf("%.1f s of processor time\n", (processor() - begin).Seconds())
	ours := map[uint32][]suggestion{}
	for _, m := range missing {
		ours[m.From] = append(ours[m.From], suggestion{m.To, m.Score})
	}
	words, err := tfidf(ctx, r)
	if err != nil {
		return err
	}
	var queries []uint32
	lost := map[uint32]int{}
	for l := range taken {
		id, err := r.Lookup(l.from)
		if err != nil {
			return err
		}
		if lost[id]++; lost[id] == 1 {
			queries = append(queries, id)
		}
	}
	slices.Sort(queries)
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%d pages lost %d links\trecall at 1\t3\t10\tprecision at 1\t3\t10\n", len(queries), len(taken))
	for _, way := range []struct {
		name    string
		suggest func(id uint32) []suggestion
	}{
		{"missing", func(id uint32) []suggestion { return ours[id] }},
		{"tf-idf", func(id uint32) []suggestion { return words.near(id, found) }},
		{"co-citation", func(id uint32) []suggestion { return cited(r, id, found) }},
	} {
		var hits, made [3]int
		for _, id := range queries {
			list := way.suggest(id)
			for k, most := range []int{1, 3, 10} {
				for _, s := range list[:min(most, len(list))] {
					made[k]++
					if taken[link{r.URL(id), r.URL(s.to)}] {
						hits[k]++
					}
				}
			}
		}
		fmt.Fprint(w, way.name)
		for k := range hits {
			fmt.Fprintf(w, "\t%.3f", float64(hits[k])/float64(len(taken)))
		}
		for k := range hits {
			fmt.Fprintf(w, "\t%.3f", float64(hits[k])/float64(max(1, made[k])))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, m := range missing {
		if show > 0 && i%max(1, len(missing)/show) == 0 {
			fmt.Printf("%.2f %v %s -> %s\n    %s[%s]%s\n", m.Score, taken[link{r.URL(m.From), r.URL(m.To)}], r.URL(m.From), r.URL(m.To), m.Before, m.Anchor, m.After)
		}
	}
	return nil
}

// vectors holds the tf-idf of the words of the pages.
type vectors struct {
	of    map[uint32]map[uint32]float64
	pages map[uint32][]uint32 // by term
	ids   []uint32
	r     *runs.Run
}

func tfidf(ctx context.Context, r *runs.Run) (*vectors, error) {
	parser, err := r.Parser()
	if err != nil {
		return nil, err
	}
	v := &vectors{of: map[uint32]map[uint32]float64{}, pages: map[uint32][]uint32{}, r: r}
	err = r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		if v.of[id] != nil {
			return nil
		}
		counts := map[uint32]float64{}
		for _, w := range capture.Parse(parser, p).Words {
			counts[number(w)]++
		}
		v.of[id], v.ids = counts, append(v.ids, id)
		for t := range counts {
			v.pages[t] = append(v.pages[t], id)
		}
		return nil
	})
	n := float64(len(v.ids))
	for _, x := range v.of {
		sum := 0.0
		for t, c := range x {
			x[t] = (1 + math.Log(c)) * math.Log(n/float64(len(v.pages[t])))
			sum += x[t] * x[t]
		}
		for t := range x {
			x[t] /= math.Sqrt(max(sum, 1e-9))
		}
	}
	return v, err
}

func number(w text.Word) uint32 { return uint32(w.Term ^ w.Term>>32) }

func (v *vectors) near(id uint32, found *site.Audit) (out []suggestion) {
	dot := map[uint32]float64{}
	for t, x := range v.of[id] {
		if float64(len(v.pages[t])) > 0.2*float64(len(v.ids)) {
			continue
		}
		for _, p := range v.pages[t] {
			dot[p] += x * v.of[p][t]
		}
	}
	return first(dot, id, found)
}

// cited suggests the pages that the same pages link to.
func cited(r *runs.Run, id uint32, found *site.Audit) (out []suggestion) {
	all := map[uint32]float64{}
	for p := range uint32(r.Len()) {
		if n := topics.Together(r, id, p); n > 0 && p != id {
			all[p] = float64(n) / math.Sqrt(float64(len(r.Sources.Of(id))*len(r.Sources.Of(p))))
		}
	}
	return first(all, id, found)
}

// first returns the first ten suggestions that are possible.
func first(scores map[uint32]float64, id uint32, found *site.Audit) (out []suggestion) {
	for p, s := range scores {
		if found.Unlinked(id, p) {
			out = append(out, suggestion{p, s})
		}
	}
	slices.SortFunc(out, func(a, b suggestion) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.to, b.to)) })
	return out[:min(10, len(out))]
}

func processor() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
