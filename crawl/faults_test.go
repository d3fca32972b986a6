package crawl_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// TestFaults reads inputs that were once read wrong and compares them with testdata/faults.txt. With -v, it prints a table
// of all of them.
func TestFaults(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "faults.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root := shareddata.Faults(t, "")
	right, all := 0, 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		inputs, want, ok := strings.Cut(sc.Text(), " : ")
		if !ok || strings.HasPrefix(inputs, "#") {
			continue
		}
		var paths []string
		for _, p := range strings.Split(strings.TrimSpace(inputs), " + ") {
			paths = append(paths, filepath.Join(root, filepath.FromSlash(p)))
		}
		got := factsOf(t, paths)
		wrong := got.missing(strings.Fields(want))
		if all++; len(wrong) > 0 {
			t.Errorf("WRONG  %-50s not %s\n%v", inputs, strings.Join(wrong, " "), got)
			continue
		}
		right++
		t.Logf("right  %-50s %s", inputs, strings.TrimSpace(want))
	}
	t.Logf("%d of %d inputs right", right, all)
}

// facts is what reading some inputs gave.
type facts struct {
	pages, links, words int
	urls                map[string]record.Page
	seen                map[string]bool
	ledger              crawl.Ledger
	damage              string
}

func factsOf(t *testing.T, paths []string) *facts {
	got := &facts{urls: map[string]record.Page{}, seen: map[string]bool{}}
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
	if err != nil {
		t.Fatal(err)
	}
	parser := text.Parser{Vocabulary: v}
	files, left, err := crawl.Expand(paths, nil)
	if err != nil {
		got.ledger.Add(err)
	}
	for _, s := range left {
		got.ledger.Add(s)
	}
	for _, file := range files {
		pages, l, err := Read(t, file, record.Options{Expanded: true, Archives: files})
		if err != nil {
			got.ledger.Add(err)
		}
		got.ledger.Merge(l)
		for _, p := range pages {
			got.pages++
			got.links += len(p.Links)
			shown := string(p.Text)
			if p.HTML != nil {
				doc := parser.HTML(p.HTML)
				shown = string(doc.Title) + " " + string(doc.Text)
			}
			for _, w := range strings.Fields(shown) {
				got.words++
				got.seen[strings.ToLower(strings.Trim(w, ".,:;!?()"))] = true
			}
			got.urls[p.Canonical] = p
		}
	}
	for _, row := range got.ledger.Tallies() {
		if row.Damage {
			got.damage += fmt.Sprintf("%s=%d", row.Reason, row.Count)
		}
	}
	return got
}

// missing returns the expectations that do not hold:
//
//	pages=N links=N words>=N   how many
//	damage                     some part is unreadable; without it, none may be
//	REASON=N                   so many parts were left out or marked
//	url=URL time=URL@TIME      a page has this canonical URL, this time (none if TIME is empty)
//	charset=URL@NAME           a page was decoded with this charset
//	word=W noword=W            some page has the word, none has it
//	nofollow=N                 so many links have rel=nofollow
//	says=TEXT                  a detail of what was left out contains this text, with _ for a space
func (f *facts) missing(want []string) (wrong []string) {
	for _, w := range want {
		if !f.holds(w) {
			wrong = append(wrong, w)
		}
	}
	if f.damage != "" && !slices.Contains(want, "damage") {
		wrong = append(wrong, "undamaged")
	}
	return wrong
}

func (f *facts) holds(want string) bool {
	if want == "damage" {
		return f.damage != ""
	}
	if n, ok := strings.CutPrefix(want, "words>="); ok {
		least, err := strconv.Atoi(n)
		return err == nil && f.words >= least
	}
	name, value, _ := strings.Cut(want, "=")
	switch name {
	case "pages":
		return strconv.Itoa(f.pages) == value
	case "links":
		return strconv.Itoa(f.links) == value
	case "url":
		_, ok := f.urls[value]
		return ok
	case "time":
		url, at, _ := strings.Cut(value, "@")
		want, _ := time.Parse(time.RFC3339, at)
		p, ok := f.urls[url]
		return ok && p.Time.Equal(want)
	case "charset":
		url, charset, _ := strings.Cut(value, "@")
		p, ok := f.urls[url]
		return ok && strings.EqualFold(p.Charset, charset)
	case "word":
		return f.seen[value]
	case "noword":
		return !f.seen[value]
	case "nofollow":
		n := 0
		for _, p := range f.urls {
			for _, l := range p.Links {
				if strings.Contains(l.Rel, "nofollow") || strings.Contains(l.Rel, "ugc") || strings.Contains(l.Rel, "sponsored") {
					n++
				}
			}
		}
		return strconv.Itoa(n) == value
	case "says":
		return slices.ContainsFunc(f.ledger.Tallies(), func(t crawl.Tally) bool {
			return slices.ContainsFunc(t.Examples, func(e crawl.Example) bool {
				return strings.Contains(e.Detail, strings.ReplaceAll(value, "_", " "))
			})
		})
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return err == nil && f.ledger.Count(record.Reason(name)) == n
}

// String shows what was read, for the message of a fault.
func (f *facts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\tpages=%d links=%d words=%d damage=%s left out %s\n", f.pages, f.links, f.words, f.damage, LeftOut(&f.ledger))
	for _, url := range slices.Sorted(maps.Keys(f.urls))[:min(len(f.urls), 20)] {
		p := f.urls[url]
		fmt.Fprintf(&b, "\t%s %s %s", url, p.Time.Format(time.RFC3339), p.Charset)
		for _, l := range p.Links {
			fmt.Fprintf(&b, " → %s [%s] %s", l.Target, l.Anchor, l.Rel)
		}
		b.WriteString("\n")
	}
	for _, t := range f.ledger.Tallies() {
		for _, e := range t.Examples[:min(len(t.Examples), 2)] {
			fmt.Fprintf(&b, "\t%s: %s %s\n", t.Reason, e.URL, e.Detail)
		}
	}
	return b.String()
}
