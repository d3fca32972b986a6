package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// evils are texts that a terminal would obey, reorder or hide, or that break a line. Each contains "evil", or "ev" and
// "il" with something between.
var evils = []string{
	"\x1b[31mevil", "\x1b]0;evil\x07", "\u009b31mevil\u0085", "\u202eevil\u202c \u202aevil\u202b \u202d", "\u2066evil\u2069 \u2067evil\u2068",
	"\u200fevil\u061c\u200e", "evil\u2028evil\u2029", "evil\r\nFORGED", "evil\rFORGED\n\nFORGED", "evil\x7f\x08\x00\x0b", "evil\U000e0041\U000e007f",
	"ev\u200bil\ufeffevil\u2060", "evil\xff\xfe\xc0\xaf\x80", "evil\x9b31m\xe2\x80", "evil\t\tevil", "=evil()", strings.Repeat("evil\x1b", 2000),
}

func evil(i int) string { return evils[i%len(evils)] }

// evilLine is evil text for files of lines.
func evilLine(i int) string {
	return strings.NewReplacer("\n", " ", "\r", "\x1b", "\t", " ").Replace(evil(i))
}

// evilName is evil text for names of files, which cannot have a slash or a NUL.
const evilName = "ev\x1b[31mil\u202e\u009b\u2028\nFORGED\r\x7f"

// evilFiles are inputs, golds and other files with evil text wherever they can have it, all about the same 40 pages.
func evilFiles() map[string]string {
	var pages, ids, warc, gold, pairs, labels, marks, moved, index strings.Builder
	jsonLine := func(v any) string { b, _ := json.Marshal(v); return string(b) + "\n" }
	target := func(i int) string { return fmt.Sprintf("https://m%d.example/t%d", i%40%5, i%40) }
	for i := range 40 {
		links, e := "", evilLine(i)
		for j := range 6 {
			links += fmt.Sprintf("<h2>%s chapter</h2><p>the %s sweet %s <a href='%s'>%s word%d</a> %s garden", evil(i+1), evil(i), evil(i+2), target(i+j), evil(i+j), (i+j)%40/4, evil(i+3))
		}
		pages.WriteString(jsonLine(map[string]string{"url": fmt.Sprintf("https://p%d.example/%s", i, evil(i)), evil(i): evil(i), "html": fmt.Sprintf(
			"<html lang='%s'><link rel=canonical href='/%s'><link rel=alternate hreflang='%s' href='/%s'><title>%s title</title>%s", evil(i), evil(i), evil(i), evil(i), evil(i), links)}))
		warc.WriteString(evilRecord(i, target(i), fmt.Sprintf("<title>%s page</title><p>%s this is the text of a page that is much the same on every copy %s of group %d.", evil(i), evil(i/4), evil(i/4), i/4)))
		ids.WriteString(jsonLine(map[string]string{"id": fmt.Sprintf("%s %d", evil(i), i), "title": evil(i), "text": fmt.Sprintf(
			"%s this is the text of a page that is much the same on every copy %s of group %d.", evil(i/4), evil(i/4), i/4)}))
		fmt.Fprintf(&gold, "%s\t%s top/%s leaf%d\n", target(i), evilLine(i/8), e, i/4)
		fmt.Fprintf(&pairs, "%s\t%s\t0.9\n", target(i), target(i/4*4))
		fmt.Fprintf(&labels, "%s\tlabel %s %d\n", target(i), evilLine(i/4), i/4)
		fmt.Fprintf(&marks, "%s %s\t%s %d\tgood\t%s:1\n", target(i), e, e, i, strings.Join(strings.Fields(e), "_"))
		fmt.Fprintf(&moved, "%s\t%s\t%s\t%s\tmoved\t0.9\n", e, target(i), evilLine(i+1), target(i+1))
		fmt.Fprintf(&index, "example,m)/%s 20200102030405 {\"url\": \"%s\", \"offset\": \"0\", \"filename\": \"%s\"}\n", e, target(i), e)
		fmt.Fprintf(&gold, "%s\t%s\n%s\n", e, e, e) // no rows
		fmt.Fprintf(&marks, "q\tn%d\t%s\t%s\n", i, e, e)
	}
	return map[string]string{
		"pages.jsonl": pages.String(), "ids.jsonl": ids.String(), "crawl.warc": warc.String(), "gold.tsv": gold.String(), "pairs.tsv": pairs.String(), "labels.tsv": labels.String(),
		"marks.tsv": marks.String(), "moved.tsv": moved.String(), "index.cdxj": index.String(), "table.csv": evilLine(0) + "," + evilLine(3) + "," + evilLine(12) + "\n1,2,3\n",
		"doc.txt":                    "this is the text of a page that is much the same on every copy of it " + strings.ReplaceAll(strings.Join(evils[:12], " "), "\x00", ""),
		"bad.jsonl":                  `{"url": "` + evil(0) + evil(3) + "\n" + `{"url":"https://x.example/` + evil(3) + `","html":` + "\n" + evil(2) + "\n",
		"links.tsv":                  "url\t" + evilLine(3) + "\t=" + evilLine(0) + "\nm0.example/t0\t" + evilLine(1) + "\t" + evilLine(14) + "\nm0.example/t5\t" + evilLine(4) + "\t" + evilLine(6) + "\n",
		"urls.txt":                   "m0.example/" + evilLine(0) + "\nm0.example/t0\n" + evilLine(0) + "\n",
		"set.toml":                   "\"evil\u202e\\u001b\" = 1\n",
		evilName:                     evil(3),
		"site/a.html":                "<title>" + evil(3) + "</title>",
		"site/" + evilName + ".html": "<title>" + evil(0) + "</title><a href=a.html>" + evil(4) + "</a>",
	}
}

// evilRecord returns a WARC record with evil text in every field.
func evilRecord(i int, url, body string) string {
	e := evilLine(i)
	block := fmt.Sprintf("HTTP/1.1 200 %s\r\nContent-Type: text/html; charset=%s\r\nX-Robots-Tag: %s\r\n%s: %s\r\n\r\n%s", e, e, e, e, e, body)
	kind := "response"
	switch i % 10 {
	case 7:
		kind = e
	case 8:
		block = strings.Replace(block, "text/html; charset=", "text/", 1)
	case 9:
		block = strings.Replace(block, "\r\n\r\n", "\r\nContent-Encoding: "+e+"\r\n\r\n", 1)
	}
	record := fmt.Sprintf("WARC/1.%s\r\nWARC-Type: %s\r\nWARC-Record-ID: <%s>\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Truncated: %s\r\n%s: %s\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", e, kind, e, url, e, e, e, len(block), block)
	if i%10 == 6 {
		record += strings.Replace(record, "Content-Length: ", "Content-Length: "+e, 1)
	}
	return record
}

// evilArgs are command lines for every verb, without --format. A | separates arguments. DIR is a folder with an evil
// name, and NEW a path that does not exist.
var evilArgs = map[string][]string{
	"demo": {"-o|NEW"}, "config": {"", "--format|json", "--preset|EVIL", "--EVIL"}, "help": {"", "EVIL", "eval|EVIL"},
	"cluster": {
		"-o|NEW|DIR/pages.jsonl|DIR/crawl.warc", "-o|NEW|DIR/bad.jsonl|DIR/table.csv|DIR/index.cdxj", "-o|NEW|DIR/site", "-o|NEW|DIR/nothing", "-o|DIR/run/x|DIR/site", "-o|DIR|DIR/site", "-o|NEW|DIR/run",
		"-o|NEW|--captures|all|DIR/crawl.warc", "-o|NEW|--config|DIR/set.toml|DIR/site", "-o|NEW|--base|EVIL|DIR/site", "-o|NEW|--language|EVIL|DIR/site", "-o|NEW|--map|EVIL|DIR/site",
		"-o|NEW|--map|url=EVIL|DIR/table.csv", "-o|NEW|--from|EVIL|DIR/site", "-o|NEW|--set|window=EVIL|DIR/site", "-o|NEW|--EVIL|DIR/site", "-o|NEW|DIR/EVIL", "-o|NEW|--progress|EVIL|DIR/site", "-o|NEW|--progress|json|DIR/site",
	},
	"dedup": {
		"-q|-o|NEW|DIR/pages.jsonl|DIR/crawl.warc|DIR/bad.jsonl|DIR/table.csv", "-q|-o|NEW|DIR/ids.jsonl|DIR/doc.txt|--by|id|--near|0.5", "-q|-o|NEW|--most-lost|0|DIR/ids.jsonl|DIR/pages.jsonl",
		"-q|-o|NEW|DIR/EVIL", "-q|-o|DIR/run|DIR/site", "-q|-o|NEW|--keep|EVIL|DIR/site", "-q|-o|NEW|--map|EVIL|DIR/site", "-q|-o|NEW|--seen|EVIL|DIR/site", "-q|-o|NEW|--against|EVIL|DIR/site", "-q|-o|NEW|--against|DIR/ids.jsonl|DIR/ids.jsonl|DIR/pages.jsonl", "-q|-o|NEW|DIR/run", "-q|-o|NEW|--strict|DIR/bad.jsonl",
	},
	"related": {"DIR/run|m0.example/t0|m1.example/t1|https://m0.example/EVIL|EVIL", "DIR/run|--all", "DIR/run|--urls|DIR/urls.txt", "DIR/run|--exact|m0.example/t0|EVIL", "DIR/run|--words|EVIL", "DIR/run|--words|EVIL t0 topic page", "DIR/nothing|x", "DIR/site|x"},
	"classify": {
		"DIR/run|--labels|DIR/gold.tsv|m0.example/t0|m1.example/t1|https://m0.example/EVIL|EVIL", "DIR/run|--labels|DIR/gold.tsv|--min-confidence|0|m0.example/t0",
		"DIR/run|--labels|DIR/gold.tsv|--min-confidence|0|--all", "DIR/run|--labels|DIR/gold.tsv|--urls|DIR/urls.txt", "DIR/run|--labels|DIR/pairs.tsv|x", "DIR/run|--labels|DIR/NAME|x", "DIR/run|--labels|EVIL|x",
	},
	"explain":    {"DIR/run|m0.example/t0|m1.example/t1|--texts", "DIR/run|--all|m0.example/t0|m4.example/t4|--texts", "DIR/run|EVIL|m0.example/t0|--texts", "DIR/moved|m0.example/t0|m1.example/t1|--texts", "DIR/run|m0.example/t0|m1.example/t1", "DIR/run|m0.example/t0|EVIL", "DIR/run|--urls|DIR/urls.txt", "DIR/captures|m0.example/t0|m1.example/t1"},
	"info":       {"DIR/run|--check", "DIR/broken|--check", "DIR/damaged|--check", "DIR/nothing|--check", "DIR/run", "DIR/broken", "DIR/nothing"},
	"export":     {"DIR/run|pages", "DIR/run|redirects", "DIR/run|topical_pairs", "DIR/run|topical_clusters", "DIR/run|topical_tree", "DIR/run|syntactic_pairs", "DIR/run|syntactic_clusters", "DIR/run|text", "DIR/run|EVIL", "DIR/run|--safe-csv|pages", "DIR/run|sketches|-o|DIR/NAME", "DIR/run|sketches", "DIR/run|sketches|-o|NEW|--sketch|EVIL", "DIR/run|pages|--sketch|var"},
	"compare":    {"DIR/run", "DIR/nothing", "DIR/run|DIR/moved", "DIR/run|DIR/NAME", "DIR/run|EVIL", "DIR/damaged|DIR/run"},
	"changes":    {"DIR/run|DIR/run", "DIR/run|DIR/moved", "DIR/moved|DIR/run", "DIR/run|DIR/captures", "DIR/run|EVIL", "DIR/run|DIR/moved|--format|markdown", "DIR/run|DIR/moved|--format|sarif"},
	"moved":      {"DIR/run|DIR/moved", "DIR/moved|DIR/run", "DIR/run|DIR/moved|--url|m0.example/t0", "DIR/run|DIR/moved|--url|m0.example/EVIL", "DIR/run|--url|EVIL", "DIR/run|DIR/content|--url|x.example", "DIR/captures|--url|x.example", "DIR/run|--url|https://m0.example/nothing", "EVIL|--url|x", "DIR/run|DIR/content", "DIR/run|DIR/moved|--rules|nginx", "DIR/run|DIR/run|--rules|EVIL", "DIR/run|DIR/nothing", "DIR/run|DIR/run|DIR/moved|--anchors"},
	"guard":      {"DIR/run|--urls|DIR/moved", "DIR/run|--urls|DIR/urls.txt|--rules|netlify:DIR/urls.txt", "DIR/run|--urls|DIR/bad.jsonl", "DIR/run|--urls|DIR/table.csv|--rules|csv:DIR/table.csv|--format|markdown", "DIR/run|--rules|nginx:DIR/bad.jsonl|--format|sarif", "DIR/run|--rules|rediraffe:DIR/gold.tsv", "DIR/run|--urls|EVIL", "DIR/run|--rules|EVIL", "DIR/run|--snapshot", "DIR/run|--urls|DIR/pages.jsonl|--fail-on|EVIL"},
	"doctor":     {"DIR/pages.jsonl|DIR/crawl.warc|DIR/bad.jsonl|DIR/table.csv|DIR/index.cdxj|DIR/NAME", "DIR/site", "DIR/site|--base|EVIL", "DIR/table.csv|--map|url=EVIL", "DIR/EVIL"},
	"duplicates": {"DIR/run|m0.example/t0|m1.example/t1|EVIL", "DIR/run|--urls|DIR/urls.txt", "DIR/captures|m0.example/t0", "DIR/run|--revisits|DIR/NAME", "DIR/captures|--revisits|NEW"},
	"query":      {"DIR/run|DIR/doc.txt|--by|host", "DIR/run|DIR/doc.txt|--words|0|--min|0|--by|host", "DIR/run|m0.example/t0|--by|host", "DIR/moved|m0.example/t0|--by|host", "DIR/captures|m0.example/t0|--by|host", "DIR/run|EVIL|--by|host", "DIR/run|DIR/NAME|--by|host", "DIR/run|DIR/crawl.warc|--by|host", "EVIL|DIR/doc.txt|--by|host", "DIR/run|DIR/doc.txt", "DIR/run|m0.example/t0", "DIR/run|EVIL", "DIR/run|DIR/NAME", "DIR/run|DIR/crawl.warc"},
	"links":      {"DIR/run|--min|0", "DIR/run|--host|EVIL", "DIR/run|--start|EVIL", "DIR/run|--kind|EVIL", "DIR/captures", "DIR/nothing", "EVIL"},
	"versions":   {"DIR/run", "DIR/run|--host|EVIL", "DIR/run|--kind|EVIL", "DIR/run|--rules|nginx", "DIR/moved|--format|csv", "DIR/captures", "EVIL"},
	"fold":       {"DIR/run|DIR/urls.txt", "DIR/run|DIR/pages.jsonl", "DIR/run|DIR/ids.jsonl|--url|id", "DIR/run|DIR/ids.jsonl", "DIR/run|DIR/gold.tsv", "DIR/run|DIR/ids.jsonl|--url|id|--best", "DIR/run|DIR/ids.jsonl|--url|id|--safe-csv|--format|tsv", "DIR/run|DIR/bad.jsonl", "DIR/run|DIR/table.csv", "DIR/run|DIR/ids.jsonl|--url|EVIL", "DIR/run|DIR/urls.txt|--keep|EVIL", "DIR/captures|DIR/urls.txt", "EVIL|DIR/urls.txt", "DIR/run|EVIL"},
	"topics":     {"DIR/run", "DIR/run|--id|EVIL", "DIR/run|--label|EVIL", "DIR/run|--contains|EVIL", "DIR/run|--contains|m0.example/t0", "DIR/run|--documents", "DIR/run|--documents|--format|csv", "DIR/run|--limit|1000|--format|csv", "DIR/run|--format|json", "DIR/nothing", "EVIL"},
	"clusters":   {"DIR/run", "DIR/run|--members", "DIR/run|--view|syntactic|--members", "DIR/run|--contains|m0.example/t0", "DIR/run|--contains|EVIL", "DIR/run|--label|EVIL", "DIR/run|--sort|EVIL", "DIR/run|--resemblance|0.6", "DIR/run|--threshold|0.3", "DIR/run|--order|EVIL", "DIR/run|--view|EVIL", "DIR/run|--method|greedy", "DIR/run|--method|EVIL"},
	"eval":       {"DIR/run|--content|DIR/content|--gold|DIR/gold.tsv|-n|8", "DIR/run|--gold|DIR/pairs.tsv", "--marks|DIR/marks.tsv", "--marks|DIR/gold.tsv", "--marks|DIR/nothing"},
	"serve":      {"DIR/nothing", "DIR/EVIL", "EVIL=DIR/run|EVIL=DIR/run", "DIR/run|--listen|EVIL", "DIR/run|--log|EVIL", "DIR/run|--cors|EVIL", "DIR/run|--token-file|DIR/nothing", "DIR/run|--token-file|DIR/NAME|--listen|999.0.0.1:0", "DIR/run|--timeout|EVIL", "DIR/run|--write|NEW", "DIR/run|--write|DIR/site", "DIR/run|--write|DIR/run/x", "DIR/run|--write|DIR/NAME", "DIR/nothing|--write|NEW", "DIR/run|--write|NEW|--pages|EVIL", "EVIL|--write|NEW", "DIR/run|--mcp", "DIR/nothing|--mcp", "DIR/EVIL|--mcp"},
	"completion": {"EVIL", "bash|EVIL"},
	"task":       {"--run|DIR/run", "--run|DIR/nothing", "EVIL|--run|DIR/run", "sign|--part|EVIL|--run|DIR/run", "sign|--finish|--run|DIR/broken", "sign|--part|1/1|--run|NEW"},
}

// silent lists the verbs that show nothing from their input.
var silent = []string{"completion", "demo"}

// TestHostileText puts evil text into everything that every verb reads from outside, and checks standard output and
// standard error in every format.
func TestHostileText(t *testing.T) { showHostile(t, false) }

// TestLongHostileText does the rest: verbs that take long have one command line in the default tests, and others have
// two formats for all command lines but the first.
func TestLongHostileText(t *testing.T) { showHostile(t, true) }

func showHostile(t *testing.T, long bool) {
	slow := []string{"demo"}
	dir := filepath.Join(t.TempDir(), evilName)
	for name, content := range evilFiles() {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	evilRuns(t, dir)
	all := verbs()
	for verb := range evilArgs {
		if all[verb] == nil {
			t.Errorf("there is no verb %q", verb)
		}
	}
	for verb, c := range all {
		lines, ok := evilArgs[verb]
		if !ok {
			t.Errorf("%s is not fed: add its command lines to evilArgs", verb)
		}
		t.Run(verb, func(t *testing.T) {
			formats := []string{""}
			if c.Flags().Lookup("format") != nil {
				formats = slices.Concat(everyFormat, []string{evil(3)})
			}
			shown := false
			for i, l := range lines {
				for j, format := range formats {
					some := i == 0 || len(formats) == 1 || (i+j)%3 == 0
					if slices.Contains(slow, verb) {
						some = i == 0 && j == 0 && verb != "demo" // whose input is its own
					}
					if some == long {
						continue
					}
					args := evilLineArgs(t, dir, verb, l, i)
					if format != "" {
						args = append(args, "--format", format)
					}
					r := inProcess(t, "", args...)
					shown = shown || strings.Contains(r.stdout+r.stderr, "evil") || strings.Contains(r.stdout+r.stderr, "31mil")
					t.Logf("%d %.150q", r.code, args)
					for name, said := range map[string]string{"stdout": r.stdout, "stderr": r.stderr} {
						if at := obeyed(said); at >= 0 {
							t.Errorf("%.300q: %s holds %.20q in %.200q", args, name, said[at:], said[max(0, at-100):min(len(said), at+60)])
						}
						if strings.HasPrefix(said, "FORGED") || strings.Contains(said, "\nFORGED") {
							t.Errorf("%.300q: a line of %s is forged", args, name)
						}
					}
					wellFormed(t, format, r)
				}
			}
			if !shown && !long && !slices.Contains(silent, verb) && !slices.Contains(slow, verb) {
				t.Error("nothing from outside is shown: nothing is tested")
			}
		})
	}
}

// evilRuns builds the runs for the verbs.
func evilRuns(t *testing.T, dir string) {
	in := []string{filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "crawl.warc"), filepath.Join(dir, "ids.jsonl")}
	cluster := func(name string, more ...string) {
		args := append([]string{"cluster", "-q", "--set", "shingle=4", "--set", "min_df=1", "-o", filepath.Join(dir, name)}, more...)
		if r := inProcess(t, "", append(args, in...)...); r.code != 0 && r.code != exitSkipped {
			t.Fatal(r.code, r.stderr)
		}
	}
	cluster("run")
	cluster("content", "--set", "bags=content")
	cluster("captures", "--captures", "all")
	for _, name := range []string{"broken", "damaged", "moved"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(dir, "run"))); err != nil {
			t.Fatal(err)
		}
	}
	manifest := filepath.Join(dir, "moved", "run.json")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.ReplaceAll(string(b), "crawl.warc", "gone.warc") // its inputs are not there any more
	for name, content := range map[string]string{
		"broken/run.json": "{\"tool\": \"" + evil(3) + evil(0), "moved/run.json": moved, "damaged/pages.parquet": evil(3), "damaged/documents.lsh": evil(0),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func evilLineArgs(t *testing.T, dir, verb, l string, i int) []string {
	args := strings.Split(verb, " ")
	if l == "" {
		return args
	}
	put := strings.NewReplacer("DIR", dir, "NEW", filepath.Join(t.TempDir(), "ev\x1bil\u202e"), "NAME", evilName, "EVIL", strings.ReplaceAll(evil(i), "\x00", ""))
	for part := range strings.SplitSeq(l, "|") {
		args = append(args, put.Replace(part))
	}
	return args
}

// obeyed returns where a text has a character that a terminal obeys or does not draw, or -1. It compares numbers
// instead of using the tables of package unicode.
func obeyed(s string) int {
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r < 0x20 && r != '\n' && r != '\t', r >= 0x7f && r <= 0x9f, r == utf8.RuneError && size == 1,
			r == 0x61c, r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
			r >= 0xe0000 && r <= 0xe007f:
			return i
		}
	}
	return -1
}

// wellFormed checks that output is valid in its format.
func wellFormed(t *testing.T, format string, r ran) {
	t.Helper()
	if r.code == exitUsage || r.stdout == "" {
		return
	}
	var err error
	switch format {
	case formatJSON:
		if !json.Valid([]byte(r.stdout)) {
			err = fmt.Errorf("no JSON")
		}
	case formatJSONL:
		for line := range strings.Lines(r.stdout) {
			if !json.Valid([]byte(line)) {
				err = fmt.Errorf("no line of JSON: %.200s", line)
			}
		}
	case formatCSV:
		_, err = csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
	case formatTSV:
		first, _, _ := strings.Cut(r.stdout, "\n")
		for line := range strings.Lines(r.stdout) {
			if strings.Count(line, "\t") != strings.Count(first, "\t") {
				err = fmt.Errorf("a line of other cells: %.200q", line)
			}
		}
	}
	if err != nil {
		t.Errorf("as %s: %v", format, err)
	}
}
