package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// TestLongGuard lets guard check two releases of a documentation with the rules that moved writes, which must show nothing
// but the pages without a rule. It then breaks known URLs, pages and rules in thirteen ways, five times each: guard finds
// each by its name and nothing else.
func TestLongGuard(t *testing.T) {
	for _, c := range []struct {
		folder, older, newer, folderOfPages string
		olderPages, newerPages, refresh     int // refresh: known pages that redirect themselves
	}{
		{"versions-llvm", "pages-13.jsonl.gz", "pages-19.jsonl.gz", "https://llvm.org/docs/tutorial", 794, 1180, 0},
		{"versions-hugo", "pages-2022-06-01.jsonl.gz", "pages-2024-06-01.jsonl.gz", "https://gohugo.io/hosting-and-deployment", 505, 710, 1},
	} {
		t.Run(c.folder, func(t *testing.T) {
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			must := func(args ...string) string {
				r := inProcess(t, "", args...)
				if r.code != 0 {
					t.Fatalf("%v: %d %s", args, r.code, r.stderr)
				}
				return r.stdout
			}
			save := func(name string, lines ...string) {
				if err := os.WriteFile(path(name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			guard := func(args ...string) (a ask.GuardAnswer) {
				r := inProcess(t, "", append([]string{"guard", path("new"), "--format", "json"}, args...)...)
				if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
					t.Fatalf("%v: %s", err, r.stderr)
				}
				return a
			}
			pages := shareddata.Lines(t, c.folder, c.newer, c.newerPages)
			save("old.jsonl", shareddata.Lines(t, c.folder, c.older, c.olderPages)...)
			save("new.jsonl", pages...)
			must("cluster", "-q", "-o", path("old"), path("old.jsonl"))
			must("cluster", "-q", "-o", path("new"), path("new.jsonl"))
			rules := strings.Split(strings.TrimSpace(must("moved", path("old"), path("new"), "--rules", "netlify")), "\n")
			save("_redirects", rules...)
			whole := guard("--urls", path("old"), "--rules", path("_redirects"))
			gone := map[string]bool{}
			for _, f := range whole.Items {
				if gone[f.URL] = true; f.Kind != "missing" || f.Confidence >= surely && f.How != "gone" {
					t.Errorf("with the rules of moved: %+v", f)
				}
			}
			if whole.Redirected != len(rules)+c.refresh || whole.Lost != len(gone) {
				t.Errorf("%d redirected by %d rules; %d lost", whole.Redirected, len(rules), whole.Lost)
			}
			known := slices.DeleteFunc(strings.Fields(must("guard", path("old"), "--urls", path("old"), "--snapshot")), func(url string) bool { return gone[url] })
			save("known.txt", known...)
			if a := guard("--urls", path("known.txt"), "--rules", path("_redirects")); len(a.Items) > 0 {
				t.Fatalf("%+v", a.Items)
			}

			// Pages and rules that the ways to break things take from.
			origin, _, _ := strings.Cut(strings.TrimPrefix(c.folderOfPages, "https://"), "/")
			origin = "https://" + origin
			var there, folder []string
			targets := map[string]bool{}
			for _, r := range rules {
				targets[strings.TrimSuffix(strings.Fields(r)[1], "/")] = true
			}
			isKnown := map[string]bool{}
			for _, k := range known {
				isKnown[k] = true
			}
			added := []string{} // pages that only the newer release has, to which nothing leads
			for _, url := range strings.Fields(must("guard", path("new"), "--snapshot")) {
				switch {
				case strings.HasPrefix(url, c.folderOfPages+"/"):
					folder = append(folder, url)
				case targets[url]:
				case isKnown[url]:
					there = append(there, url)
				default:
					added = append(added, url)
				}
			}
			take := func(from *[]string) string {
				x := (*from)[0]
				*from = (*from)[1:]
				return x
			}
			local := func(url string) string { return strings.TrimPrefix(url, origin) + " " }
			want := map[string]int{}
			expect := func(kind, of string) { want[kind+" "+of]++ }
			removed := map[string]bool{}
			var first, last []string // rules before and after the others
			for i := range 5 {
				forgotten := strings.Fields(take(&rules))[0]
				expect("missing", origin+forgotten)
				deleted := take(&there)
				removed[deleted] = true
				expect("missing", deleted)
				typo := strings.Fields(take(&rules))
				last = append(last, typo[0]+" "+strings.TrimSuffix(typo[1], "/")+"-typo 301!")
				expect("dead", origin+typo[0])
				goneTarget := take(&added)
				removed[goneTarget] = true
				dead := strings.Fields(take(&rules))[0]
				last = append(last, dead+" "+goneTarget+" 301!")
				expect("dead", origin+dead)
				a, b := strings.Fields(take(&rules))[0], strings.Fields(take(&rules))[0]
				last = append(last, a+" "+b+" 301!", b+" "+a+" 301!")
				expect("loop", origin+a)
				self := strings.Fields(take(&rules))[0]
				last = append(last, self+" "+self+" 301!")
				expect("loop", origin+self)
				hop, end := strings.Fields(take(&rules))[0], take(&rules)
				last = append(last, hop+" "+strings.Fields(end)[0]+" 301!", end)
				expect("chain", origin+hop)
				hidden := take(&there)
				last = append(last, local(hidden)+take(&added)+" 301!")
				expect("shadow", hidden)
				twice := take(&rules)
				last = append(last, twice, strings.Fields(twice)[0]+" "+added[0]+" 301!")
				expect("superfluous", origin+strings.Fields(twice)[0])
				unforced := take(&there)
				last = append(last, local(unforced)+added[0]+" 301")
				expect("superfluous", unforced)
				part := there[i+20]
				known = append(known, part+"#no-such-part")
				expect("anchor", part+"#no-such-part")
				last = append(last, "nonsense")
				expect("unread", "")
				known = append(known, "http://")
				expect("unread", "http://")
			}
			first = append(first, strings.TrimPrefix(c.folderOfPages, origin)+"/* https://elsewhere.example/:splat 301!")
			expect("shadow", c.folderOfPages)
			if len(folder) == 0 {
				t.Fatal("the folder has no page")
			}
			save("new.jsonl", slices.DeleteFunc(pages, func(line string) bool {
				var p struct{ URL string }
				if err := json.Unmarshal([]byte(line), &p); err != nil {
					t.Fatal(err)
				}
				url := strings.TrimSuffix(strings.TrimSuffix(p.URL, "index.html"), "/")
				return removed[url]
			})...)
			os.RemoveAll(path("new"))
			must("cluster", "-q", "-o", path("new"), path("new.jsonl"))
			save("_redirects", slices.Concat(first, rules, last)...)
			save("known.txt", known...)
			got := map[string]int{}
			for _, f := range guard("--urls", path("known.txt"), "--rules", path("_redirects")).Items {
				got[f.Kind+" "+f.URL]++
				if f.File == "" || f.Line == 0 {
					t.Errorf("no place: %+v", f)
				}
			}
			for _, key := range slices.Sorted(maps.Keys(want)) {
				if got[key] != want[key] {
					t.Errorf("%s: found %d times, want %d", key, got[key], want[key])
				}
				delete(got, key)
			}
			for key, n := range got {
				t.Errorf("%s: found %d times, but nothing is wrong", key, n)
			}
			t.Logf("%d broken", len(want))
		})
	}
}
