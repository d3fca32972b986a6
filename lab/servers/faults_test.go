package servers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// faults are situations that public trackers report: commands on the shared inputs, and what the last one must say, or must not
// after a "!". If it says what named has instead, the line that it cannot honour is named. G stands for guard on a run of pages.
var faults = []struct{ name, commands, right, named string }{
	{"s01 netlify", "G --urls s01-known.txt --rules netlify:s01-growing._redirects", `(?m)^dead`, ""},
	{"s01 nginx", "G --urls s01-known2.txt --rules nginx:s01-growing.nginx", `(?m)^loop`, ""},
	{"s01 apache", "G --urls s01-known2.txt --rules apache:s01-growing.apache", `(?m)^loop`, ""},
	{"s02 nginx", "G --urls s02-known.txt --rules nginx:s02-rest.nginx", `!(?m)^(dead|missing|unread)`, ""},
	{"s02 apache", "G --urls s02-known.txt --rules apache:s02-rest.apache", `!(?m)^(dead|unread|missing.*v1\.0)`, ""},
	{"s03", "G --urls s03-known.txt --rules netlify:s03-placeholders._redirects", `!(?m)^(dead|missing|unread)`, ""},
	{"s04", "G --urls s04-known.txt --rules nginx:s04-location.nginx", `(?s)missing.*missing`, ""},
	{"s06 nginx", "G --urls s06-known.txt --rules nginx:s06-hosts.nginx", `^(?:[^\n]*\n)missing[^\n]*/lost,[^\n]*\n[^\n]*found 1 missing\n$`, `unread`},
	{"s06 apache", "G --urls s06-known.txt --rules apache:s06-hosts.apache", `^(?:[^\n]*\n)missing[^\n]*/lost,[^\n]*\n[^\n]*found 1 missing\n$`, `unread`},
	{"s07a", "G --urls s07a-known.txt --rules apache:s07a-flags.apache", `!(?m)^(dead|missing|unread)`, ""},
	{"s07c nginx", "G --urls s07c-known.txt --rules nginx:s07c-include.nginx", `!(?m)^(missing|unread)`, `unread,s07c-include.nginx,2,`},
	{"s07c apache", "G --urls s07c-known.txt --rules apache:s07c-include.apache", `!(?m)^(missing|unread)`, `unread,s07c-include.apache,1,`},
	{"s07c map", "G --urls s07c-known.txt --rules s07c-redirects.map", `!(?m)^(dead|missing|unread)|none of the formats`, ""},
	{"s07d flow", "G --urls s07d-known.txt --rules mkdocs:s07d-flow.mkdocs.yml", `dead,[^\n]*/two,[^\n]*\n[^\n]*found 1 dead`, ""},
	{"s07d include", "G --urls s07d-known.txt --rules mkdocs:s07d-include.mkdocs.yml", `!(?m)^(missing|unread)`, `unread,s07d-include.mkdocs.yml,4,`},
	{"s08", "G --urls s08-known.txt --rules netlify:s08-rewrites._redirects", `^[^\n]*\nsuperfluous,s08-rewrites._redirects,3,[^\n]*\n$`, ""},
	{"s09", "cluster -q -o W/a s09-old.jsonl\ncluster -q -o W/b s09-new.jsonl\nmoved W/a W/b --format csv", `architecture_entities,[^\n]*,merged into,`, ""},
	{"s10", "cluster -q -o W/a s10-old.jsonl\ncluster -q -o W/b s10-new.jsonl\nmoved W/a W/b --rules netlify", `^(/docs/\S+ https://example.org/docs/latest/\S+ 301\n)+10? rules? for 10 pages; 0 gone`, ""},
	{"s11", "cluster -q -o W/a s11-canonical.jsonl\nversions W/a --rules netlify", `^/Docs/Install https://example.org/docs/install 301!\n/k https://example.org/knowledge/base 301!\nno rule for 1 page`, ""},
	{"s13 links", "cluster -q --base https://example.org/ -o W/a s13-clean\nlinks W/a", `none:.*orphan.*gone`, ""},
	{"s13 guard", "cluster -q --base https://example.org/ -o W/a s13-clean\nguard W/a --urls s13-known.txt", `^0 of 2 known URLs lost: 2 there`, ""},
	{"s14 Caddyfile", "G --urls s01-known.txt --rules s14-Caddyfile", `none of the formats`, ""},
	{"s14 conf.py", "G --urls s01-known.txt --rules s14-conf.py", `none of the formats`, ""},
	{"s14 docusaurus", "G --urls s01-known.txt --rules s14-docusaurus.config.ts", `none of the formats`, ""},
	{"s14 next", "G --urls s01-known.txt --rules s14-next.config.js", `none of the formats`, ""},
	{"s14 page", "G --urls s01-known.txt --rules s14-page.html", `none of the formats`, ""},
	{"s14 netlify.toml", "G --urls s01-known.txt --rules s14-netlify.toml", `dead,s14-netlify.toml,9,`, `none of the formats`},
	{"s15 netlify.toml", "G --urls s15-known.txt --rules s15-netlify.toml", `dead,s15-netlify.toml,1,`, ""},
	{"s15 vercel", "G --urls s15-known.txt --rules s15-vercel.json", `dead,s15-vercel.json,1,`, ""},
	{"s15 csv", "G --urls s15-known.txt --rules s15-plain.csv", `dead,s15-plain.csv,2,`, ""},
	{"s17", "G --urls s17-known.txt --rules netlify:s17-weak._redirects", `!superfluous|missing|dead`, ""},
	{"s18", "G --urls s18-known.txt --rules netlify:s18-fragment._redirects", `^[^\n]*\nsuperfluous,s18-fragment._redirects,1,[^\n]*\n$`, ""},
	{"s19", "G --urls s19-known.txt --rules apache:s19-query.apache", `!(?m)^(missing|dead|unread)`, `unread,s19-query.apache,5,`},
	{"s22", "G --urls s22-known.txt --rules netlify:s22-netlify._redirects", `!(?m)^(missing|dead|unread)`, ""},
	{"s23", "G --urls s23-known.txt --rules apache:s23-https.apache", `!found|unread`, ""},
	{"s24", "cluster -q -o W/a s24-redirectpages.jsonl\nlinks W/a", `none:.*orphan`, ""},
	{"s25", "cluster -o W/a s25-shard0.jsonl s25-shard1.jsonl", `another text`, ""},
	{"s28", "cluster -q -o W/a s28-old.jsonl\ncluster -q -o W/b s28-new.jsonl\nmoved W/a W/b --rules cloudflare", `^example.org/q,https://example.org/view\?doc=q,301,FALSE,`, ""},
	{"s29 x", "cd s29\nG --urls ../s18-known.txt --rules hugo:docs/x.md", `!(?m)^(dead|unread)`, ""},
	{"s29 bb", "cd s29\nG --urls ../s18-known.txt --rules hugo:docs/bb.md", `!(?m)^(dead|unread)`, ""},
	{"s29 j", "cd s29\nG --urls ../s18-known.txt --rules hugo:docs/j.md", `dead,docs/j.md,1,https://example.org/j1,`, ""},
	{"s31", "cluster -q -o W/a s31-links.jsonl\nlinks W/a --kind missing --min 0.2 --format csv", `^[^\n]*\n$`, ""},
	{"s35", "G --urls s35-known.txt --rules nginx:s35-case.nginx", `!(?m)^(missing|unread)`, `unread,s35-case.nginx,2,`},
	{"s39", "G --urls s39-image-sitemap.xml", `!(?m)^(missing|unread)`, ""},
	{"s40 console", "G --urls s40-console.csv", `^[^\n]*\nmissing,s40-console.csv,3,https://example.org/lost,[^\n]*\n[^\n]*found 1 missing\n$`, ""},
	{"s40 paths", "G --urls s40-paths.txt --base https://example.org", `^[^\n]*\nmissing,s40-paths.txt,2,https://example.org/lost,[^\n]*\n[^\n]*found 1 missing\n$`, ""},
}

// says reports whether what a command says has a pattern or, after a "!", has not.
func says(said, pattern string) bool {
	pattern, not := strings.CutPrefix(pattern, "!")
	return pattern != "" && regexp.MustCompile(pattern).MatchString(said) != not
}

// TestSites runs commands on all inputs of the shared faults about sites, and logs what became of each.
func TestSites(t *testing.T) {
	inputs := shareddata.Faults(t, "sites")
	binary, _ := built(t)
	tiny := filepath.Join(t.TempDir(), "tiny")
	run(t, inputs, binary, "cluster", "-q", "-o", tiny, "tiny.jsonl")
	table := map[string]int{}
	for _, f := range faults {
		dir, said, work := inputs, "", t.TempDir()
		for command := range strings.SplitSeq(f.commands, "\n") {
			words := strings.Fields(strings.NewReplacer("W/", work+string(os.PathSeparator)).Replace(command))
			switch words[0] {
			case "cd":
				dir = filepath.Join(dir, words[1])
				continue
			case "G":
				words = append([]string{"guard", tiny, "--format", "csv"}, words[1:]...)
			}
			c := exec.Command(binary, words...)
			c.Dir = dir
			raw, _ := c.CombinedOutput() //nolint:errcheck // findings are an exit code
			said = string(raw)
		}
		verdict := "right"
		switch {
		case says(said, f.right):
		case says(said, f.named):
			verdict = "named"
		default:
			verdict = "wrong"
			t.Errorf("%s says\n%s", f.name, said)
		}
		table[verdict]++
		t.Logf("%-18s %s", f.name, verdict)
	}
	t.Log(table)
}
