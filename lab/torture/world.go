package torture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/internal/sample"
)

// world is a small crawl that contains everything that a run treats specially, and the result of a run that nothing
// disturbs.
type world struct {
	inputs []string
	code   int      // exit code of its run, which reports damage because a part of the input is damaged
	run    string   // path of a finished run
	want   snapshot // snapshot of that run
	took   float64  // seconds
	stages int

	asking sync.Mutex // guards sound
	sound  []result   // answers of the run

	stopping sync.Mutex             // guards stops
	stops    map[bool]map[int]*stop // by whether parts are small, and by the number of stages done
}

// worldPages is the number of pages from the sample.
const worldPages = 60

// needWorld makes the world unless it exists.
func needWorld(b *bench) error {
	if b.world != nil {
		return nil
	}
	dir := filepath.Join(b.home, "world")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	w := &world{run: filepath.Join(dir, "run"), code: exitSkipped, stops: map[bool]map[int]*stop{false: {}, true: {}}}
	var err error
	if w.inputs, err = writeWorld(dir); err != nil {
		return err
	}
	t := &trial{bench: b, dir: dir}
	r, err := t.run(w.cluster("--workers", "2")...)
	if err != nil {
		return err
	}
	if r.code != w.code {
		return r.unexpected(fmt.Sprint(w.code))
	}
	w.took, w.stages = r.took.Seconds(), len(stagesOf(filepath.Join(w.run, "run.json")))
	w.want, err = takeSnapshot(w.run)
	b.world = w
	return err
}

// cluster returns the command that clusters the world into the folder run.
func (w *world) cluster(flags ...string) []string {
	args := append([]string{"cluster", "-o", "run", "--base", "https://folder.example/"}, flags...)
	return append(args, w.inputs...)
}

// anyhow draws workers and memory, which may not change a byte.
func anyhow(r *rand.Rand) []string {
	return []string{"--workers", pick(r, "1", "2", "3", "8", "16"), "--memory", pick(r, "64MiB", "100MiB", "256MiB", "1GiB")}
}

// writeWorld writes the inputs.
func writeWorld(dir string) ([]string, error) {
	lines, err := sampleLines(worldPages)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"pages.jsonl":     []byte(strings.Join(lines, "\n") + "\n" + `{"url": "https://cut.example/`),
		"archive.warc.gz": worldArchive(),
		"texts.warc":      worldTexts(),
		"links.csv":       worldLinks(lines),
		"site/index.html": []byte(`<title>top of the site</title><p>` + sentence(0) + ` <a href="a/one.html">the first of the pages</a> and <a href="two.html">the second</a>`),
		"site/a/one.html": []byte(`<title>first page</title><p>` + sentence(1) + ` <a href="../index.html">up again to the top</a>`),
		"site/two.html":   []byte(`<title>second page</title><p>` + sentence(1) + ` <a href="https://one.example/p/3">a page elsewhere</a>`),
	}
	for name, b := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, b, 0o666)); err != nil {
			return nil, err
		}
	}
	var inputs []string
	for _, name := range []string{"pages.jsonl", "archive.warc.gz", "texts.warc", "links.csv", "site"} {
		inputs = append(inputs, filepath.Join(dir, name))
	}
	return inputs, nil
}

// sampleLines returns the first pages of the embedded sample.
func sampleLines(n int) (lines []string, err error) {
	s := bufio.NewScanner(sample.Open())
	s.Buffer(nil, 1<<24)
	for len(lines) < n && s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines, s.Err()
}

const (
	time1 = "2020-01-01T00:00:00Z"
	time2 = "2021-01-01T00:00:00Z"
)

// worldArchive has competing captures, redirects, revisits and encoded bodies; each record is a member.
func worldArchive() []byte {
	var b bytes.Buffer
	add := func(record string) { b.Write(gzipped([]byte(record))) }
	for i := range 24 {
		url := fmt.Sprintf("https://one.example/p/%d", i)
		html := fmt.Sprintf(`<title>page %d</title><h1>%s</h1><p>%s<a href="/p/%d">words of the link</a> %s <a href="https://two.example/%d">%s</a>`,
			i, sentence(i/4), sentence(i/3), (i+1)%24, sentence(i), i%5, sentence(i % 7)[:20])
		digest := fmt.Sprintf("WARC-Payload-Digest: sha1:D%d\r\n", i)
		switch i % 8 {
		case 1:
			add(warcResponse(url, time1, "Transfer-Encoding: chunked\r\n", chunked(html), digest))
		case 2:
			add(warcResponse(url, time1, "Content-Encoding: gzip\r\n", string(gzipped([]byte(html))), digest))
		case 3:
			add(warcResponse(url, time1, "", html, digest))
			add(warcRecord("revisit", url, time2, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n", digest))
		case 4:
			add(warcRecord("response", url, time1, "application/http; msgtype=response", fmt.Sprintf("HTTP/1.1 301 Moved\r\nLocation: /p/%d\r\n\r\n", i+1)))
		case 5:
			add(warcResponse(url, time1, "", "<title>older</title>"+html))
			add(warcResponse(url, time2, "X-Robots-Tag: noindex\r\n", html))
		default:
			add(warcResponse(url, time1, "", html, digest))
		}
	}
	return b.Bytes()
}

// worldTexts has rendered text and records that only hold links.
func worldTexts() []byte {
	var b strings.Builder
	for i := range 6 {
		b.WriteString(warcRecord("resource", fmt.Sprintf("urn:text:https://one.example/p/%d", i), time1, "text/plain", "rendered "+sentence(i)))
		b.WriteString(warcRecord("conversion", fmt.Sprintf("https://three.example/%d", i), time1, "text/plain", sentence(i/2)+sentence(i)))
		b.WriteString(watRecord(fmt.Sprintf("https://four.example/%d", i), fmt.Sprintf("https://two.example/%d", i%5), sentence(i)[:30]))
	}
	return []byte(b.String())
}

func worldLinks(lines []string) []byte {
	var b strings.Builder
	b.WriteString("source,target,anchor,before,after\n")
	for i, line := range lines {
		var p struct{ URL string }
		if json.Unmarshal([]byte(line), &p) == nil {
			fmt.Fprintf(&b, "https://five.example/%d,%s,\"anchor, %d\",words before it,words behind\n", i%9, p.URL, i)
		}
	}
	return []byte(b.String())
}
