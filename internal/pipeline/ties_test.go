package pipeline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
)

// TestTies checks that among captures with the same time, the one in the later input wins, in every decision.
func TestTies(t *testing.T) {
	const url = "https://a.example/p"
	wat := func(to string) string {
		return warcRecord("metadata", url, t1, "application/json", fmt.Sprintf(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":%q,"WARC-Date":%q},`+
			`"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":{"Head":{"Title":"wat"},"Links":[{"path":"A@/href","url":%q,"text":"some words"}]}}}}}`, url, t1, to))
	}
	row := func(to string) string {
		return "source,target,anchor,time\n" + url + "," + to + ",some words," + t1 + "\n"
	}
	link := `<title>linking page</title>words <a href="` + url + `">to the page</a> here`
	linking := jsonl(t, page{URL: "https://l.example/", HTML: link})[0]
	moved := func(to string) string { return `{"url": "` + url + `", "redirect": "` + to + `"}` }
	there := jsonl(t, page{URL: url, HTML: "<title>the page is there</title>" + link})[0]
	old := "WARC-Payload-Digest: sha1:X"
	cases := []struct {
		name   string
		inputs []string // contents, each preceded by its file extension; the number is the name
		linked string   // the URL that must have a link
		not    string   // the URL that must have none
		title  string   // of the page
	}{
		{"a WAT file and a later one", []string{"wat:" + wat("https://x.example/"), "wat:" + wat("https://y.example/")}, "https://y.example", "https://x.example", ""},
		{"rows before and behind a WAT file", []string{"csv:" + row("https://x.example/"), "wat:" + wat("https://y.example/"), "csv:" + row("https://z.example/")}, "https://x.example", "https://y.example", ""},
		{"rows before a WAT file", []string{"csv:" + row("https://x.example/"), "csv:" + row("https://z.example/"), "wat:" + wat("https://y.example/")}, "https://y.example", "https://x.example", ""},
		{"a redirect behind a page", []string{"jsonl:" + linking, "jsonl:" + there, "jsonl:" + moved("https://to.example/")}, "https://to.example", url, ""},
		{"a page behind a redirect", []string{"jsonl:" + linking, "jsonl:" + moved("https://to.example/"), "jsonl:" + there}, url, "https://to.example", "the page is there"},
		{"a redirect behind another one", []string{"jsonl:" + moved("https://x.example/"), "jsonl:" + moved("https://to.example/"), "jsonl:" + linking}, "https://to.example", "https://x.example", ""},
		{"a revisit of two originals", []string{
			"warc:" + warcRevisit("https://r.example/", t2, old), "warc:" + warcResponse(url, t1, `<title>one</title>a <a href="https://x.example/">link there</a>`, old),
			"warc:" + warcResponse("https://b.example/", t1, `<title>two</title>a <a href="https://y.example/">link there</a>`, old),
		}, "https://y.example", "", "one"},
		{"the same text with another title", []string{`jsonl:{"url": "` + url + `", "text": "one two", "title": "first"}`, `jsonl:{"url": "` + url + `", "text": "one two", "title": "second"}`}, "", "", "second"},
	}
	// Each case has hosts of its own, with URLs of the same length, so that one run contains all of them.
	own := func(i int, s string) string { return strings.ReplaceAll(s, ".example", fmt.Sprint(".exampl", i)) }
	dir := t.TempDir()
	var inputs []string
	for i, c := range cases {
		for _, in := range c.inputs {
			kind, content, _ := strings.Cut(in, ":")
			name := filepath.Join(dir, fmt.Sprint(99-len(inputs), ".", kind)) // the order of the inputs decides, not that of their names
			must(t, os.WriteFile(name, []byte(own(i, content)), 0o666))
			inputs = append(inputs, name)
		}
	}
	for _, workers := range []int{8} {
		run, _ := cluster(t, preset(t, "web"), pipeline.Options{Workers: workers}, inputs...)
		pages := rows(t, run)
		for i, c := range cases {
			if c.linked != "" && pages[own(i, c.linked)].NInlinks == 0 {
				t.Errorf("%s, %d workers: no link to %s: %+v", c.name, workers, c.linked, pages)
			}
			if c.not != "" && pages[own(i, c.not)].NInlinks > 0 {
				t.Errorf("%s, %d workers: a link to %s", c.name, workers, c.not)
			}
			if title := pages[own(i, url)].Title; c.title != "" && title != c.title {
				t.Errorf("%s, %d workers: title %q, want %q", c.name, workers, title, c.title)
			}
			if c.name == "a revisit of two originals" && pages[own(i, "https://r.example")].Title != "two" {
				t.Errorf("%d workers: the revisit has the title %q", workers, pages[own(i, "https://r.example")].Title)
			}
		}
	}
}

// TestRenderedTies checks that among rendered texts of one kind and one time, the page gets that of the later record.
func TestRenderedTies(t *testing.T) {
	const url = "https://a.example/"
	texts := []string{"first rendered text of several words for the page", "second rendered text of the page in many more words"}
	for _, last := range []int{0, 1} {
		in := warcResponse(url, t1, "<title>shell</title>enable scripts please")
		for _, words := range []string{texts[1-last], texts[last]} {
			in += warcRecord("resource", "urn:text:"+url, t1, "text/plain", words)
		}
		dir, _ := cluster(t, preset(t, "web"), pipeline.Options{Workers: 4}, writeBytes(t, "x.warc", []byte(in)))
		q, err := runs.Open(dir)
		must(t, err)
		defer q.Close()
		if d := cmp.Diff(shingled(t, q, texts[last]), of(t, q, url)); d != "" {
			t.Error(d)
		}
	}
}
