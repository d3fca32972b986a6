// Package names measures whether search finds what is named: the home pages of a gold by the names of their hosts.
//
//	lab names -gold gold.tsv RUN
//
// The names are drawn by one rule. A home page is a URL of the gold that is the root of a host whose registered label has at
// least three letters, with nothing before it but www. Its name is the label, and labels of several home pages are left
// out. The 200 labels with the least hashes are taken, every second one for tuning (dev), the others for the figures (test).
// Each is asked for as it is and with one typo, which its hash chooses: a letter that is missing, doubled, or swapped with
// the next.
package names

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// Famous are names that everybody knows, with hosts that may be meant.
var Famous = []Name{
	{"sqlite", []string{"sqlite.org"}}, {"docker", []string{"docker.com"}}, {"julialang", []string{"julialang.org"}}, {"svelte", []string{"svelte.dev"}},
	{"kubernetes", []string{"kubernetes.io"}}, {"redis", []string{"redis.io"}}, {"nginx", []string{"nginx.org", "nginx.com"}},
	{"postgresql", []string{"postgresql.org"}}, {"vim", []string{"vim.org"}}, {"rust-lang", []string{"rust-lang.org"}}, {"git-scm", []string{"git-scm.com"}},
	{"python", []string{"python.org"}}, {"nodejs", []string{"nodejs.org"}}, {"golang", []string{"golang.org", "go.dev"}}, {"haskell", []string{"haskell.org"}},
	{"django", []string{"djangoproject.com"}}, {"rails", []string{"rubyonrails.org"}}, {"elixir-lang", []string{"elixir-lang.org"}},
	{"debian", []string{"debian.org"}}, {"wikipedia", []string{"wikipedia.org", "en.wikipedia.org"}},
}

// Name is what is asked for, and the hosts whose root is the answer.
type Name struct {
	Asked string
	Hosts []string
}

// is reports whether a URL is the answer.
func (n Name) is(url string) bool {
	host := urls.Host(url)
	_, rest, _ := strings.Cut(url, "://")
	return strings.Trim(strings.TrimPrefix(rest, host), "/") == "" && slices.Contains(n.Hosts, strings.TrimPrefix(host, "www."))
}

// Draw draws n names from the URLs of a gold.
func Draw(all []string, n int) []Name {
	hosts := map[string][]string{}
	for _, url := range all {
		host := strings.TrimPrefix(urls.Host(url), "www.")
		label, main := names.Host(host)
		home := Name{label, []string{host}}
		if main && len(label) >= 3 && home.is(url) && !slices.Contains(hosts[label], host) {
			hosts[label] = append(hosts[label], host)
		}
	}
	var drawn []Name
	for label, h := range hosts {
		if len(h) == 1 {
			drawn = append(drawn, Name{label, h})
		}
	}
	slices.SortFunc(drawn, func(a, b Name) int { return cmp.Compare(tables.Hash(a.Asked), tables.Hash(b.Asked)) })
	return drawn[:min(n, len(drawn))]
}

// Typo returns a name with a letter missing, doubled or swapped with the next one.
func Typo(name string) string {
	h := tables.Hash(name)
	r := []rune(name)
	at := int(h / 3 % uint64(len(r)-1))
	switch h % 3 {
	case 0:
		return string(slices.Delete(r, at, at+1))
	case 1:
		return string(slices.Insert(r, at, r[at]))
	}
	for range len(r) - 1 {
		if r[at] != r[at+1] {
			r[at], r[at+1] = r[at+1], r[at]
			break
		}
		at = (at + 1) % (len(r) - 1)
	}
	return string(r)
}

// Command reads the flags, asks and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("names", flag.ContinueOnError)
	path := flags.String("gold", "", "the gold with the home pages")
	half := flags.String("half", "test", "names to ask for: dev, test or both")
	each := flags.Bool("each", false, "print the place of each name")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("give one run")
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	g, err := gold.Read(*path, r.Rules)
	if err != nil {
		return err
	}
	var all []string
	for _, l := range g.Labels {
		all = append(all, l.URL)
	}
	var drawn, wrong []Name
	for i, n := range Draw(all, 200) {
		if *half == "both" || (*half == "dev") == (i%2 == 0) {
			drawn, wrong = append(drawn, n), append(wrong, Name{Typo(n.Asked), n.Hosts})
		}
	}
	heap, begin := allocated(), processor()
	if _, err := (ask.Search{Words: "first", Window: ask.Window{Limit: 10}}).Ask(context.Background(), r); err != nil {
		return err
	}
	took := processor() - begin
	fmt.Printf("The first search of %d documents took %.2f s of the processor and keeps %.1f MiB of memory.\n\n", r.Len(), took.Seconds(), float64(allocated()-heap)/(1<<20))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(w, "asked for\tnames\tfirst\tfirst 3\tfirst 10\tby words alone: first\tfirst 3\tp50 ms\tp99 ms\t")
	for _, s := range []struct {
		what  string
		names []Name
	}{{"famous", Famous}, {*half, drawn}, {"with a typo", wrong}} {
		if err := measure(w, r, s.what, s.names, *each); err != nil {
			return err
		}
	}
	return w.Flush()
}

// processor returns the time of the processor that the program has used: other programs do not disturb it as they do the
// time of the clock.
func processor() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// allocated returns the number of bytes on the heap that are in use.
func allocated() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// measure asks for names and prints a row of the table.
func measure(w *tabwriter.Writer, r *runs.Run, what string, all []Name, each bool) error {
	var took []time.Duration
	var within, words [11]int // names by their place, from 1; 0 is for those beyond
	for _, n := range all {
		begin := processor()
		found, err := ask.Search{Words: n.Asked, Window: ask.Window{Limit: 10}}.Ask(context.Background(), r)
		took = append(took, processor()-begin)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(found.Items, func(i ask.SearchItem) bool { return n.is(i.URL) }) + 1
		within[at]++
		if each {
			fmt.Printf("%s\t%d\t%s\t%v\t", what, at, n.Asked, n.Hosts)
			for _, i := range found.Items[:min(3, len(found.Items))] {
				id, _ := r.Lookup(i.URL)
				fmt.Printf("%s (%s, %d hosts) ", i.URL, i.Called, r.Document(id).InHosts)
			}
			fmt.Println()
		}
		if parsed, err := topics.ParseWords(r, n.Asked); err == nil {
			words[slices.IndexFunc(topics.Ranked(r, parsed, 10), func(m topics.WordMatch) bool { return n.is(r.URL(m.ID)) })+1]++
		}
	}
	slices.Sort(took)
	of := float64(len(all))
	share := func(n int) string { return fmt.Sprintf("%.3f", float64(n)/of) }
	ms := func(q float64) string { return fmt.Sprintf("%.1f", took[int(q*(of-1))].Seconds()*1000) }
	fmt.Fprintln(w, strings.Join([]string{
		what, fmt.Sprint(len(all)), share(within[1]), share(within[1] + within[2] + within[3]), share(len(all) - within[0]),
		share(words[1]), share(words[1] + words[2] + words[3]), ms(.5), ms(.99), "",
	}, "\t"))
	return nil
}
