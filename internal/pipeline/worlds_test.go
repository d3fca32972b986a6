package pipeline_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// A world is a small random crawl in which captures compete in every way: repeated URLs, equal and missing times, the
// same text with another title or other headers, redirects, revisits, rendered text, link rows, damage, several files.
type world struct {
	r      *rand.Rand
	inputs []worldInput
}

type worldInput struct {
	name    string // with its extension
	head    string
	records []string
	pages   []*worldPage // capture of each record; nil if it is none
}

// worldPage is the row of the table of pages if the capture wins.
type worldPage struct {
	url, title, time string
	noindex          bool
}

var (
	worldTimes = []string{"", "", t1, t1, t2, t2, t3}
	worldTexts = []string{
		"one text of several words that says nothing of much importance to anyone at all",
		"another text which tells of rivers and mountains and of the sea beyond them",
		"a third text, on the making of cheese and bread and wine in the old days",
	}
	worldTitles = []string{"red title", "green title", "blue title"}
)

func drawWorld(seed uint64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 11))}
	for i := range 2 + w.r.IntN(5) {
		kind := pick(w, []string{"jsonl", "jsonl", "warc", "warc", "warc.gz", "wat", "csv"})
		in := worldInput{name: fmt.Sprintf("%c.%s", 'a'+i, kind)}
		for range 3 + w.r.IntN(25) {
			record, page := w.record(kind)
			in.records, in.pages = append(in.records, record), append(in.pages, page)
		}
		if kind == "csv" {
			in.head = "source,target,anchor,before,after,time\n"
		}
		w.inputs = append(w.inputs, in)
	}
	return w
}

func pick[T any](w *world, of []T) T { return of[w.r.IntN(len(of))] }

func (w *world) url() string {
	return fmt.Sprintf("https://%s.example/%d", pick(w, []string{"a", "b", "c"}), w.r.IntN(4))
}

func (w *world) html(title string) string {
	return fmt.Sprintf(`<title>%s</title><p>%s <a href="%s">anchor %s</a> and the words behind`, title, pick(w, worldTexts), w.url(), pick(w, worldTitles))
}

// record draws a record of a kind of input.
func (w *world) record(kind string) (string, *worldPage) {
	switch kind {
	case "jsonl":
		return w.line()
	case "wat":
		return w.given(), nil
	case "csv":
		return fmt.Sprintf("%s,%s,%s,words before,words after,%s\n", w.url(), w.url(), pick(w, worldTitles), pick(w, worldTimes)), nil
	}
	return w.archived()
}

func (w *world) line() (string, *worldPage) {
	at := &worldPage{url: w.url(), title: pick(w, worldTitles), time: pick(w, worldTimes)}
	row := map[string]string{"url": at.url, "time": at.time}
	switch n := w.r.IntN(10); {
	case n == 0:
		return `{"url": "https://a.example/` + "\n", nil // damaged
	case n == 1:
		row["redirect"], at = w.url(), nil
	case n < 6:
		row["text"], row["title"] = pick(w, worldTexts), at.title
	default:
		row["html"] = w.html(at.title)
	}
	b, err := json.Marshal(row)
	if err != nil {
		panic(err)
	}
	return string(b) + "\n", at
}

func (w *world) given() string {
	url, at := w.url(), pick(w, worldTimes[2:])
	return warcRecord("metadata", url, at, "application/json", fmt.Sprintf(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":%q,"WARC-Date":%q},`+
		`"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":{"Head":{"Title":%q},"Links":[{"path":"A@/href","url":%q,"text":%q}]}}}}}`,
		url, at, pick(w, worldTitles), w.url(), pick(w, worldTitles)))
}

func (w *world) archived() (string, *worldPage) {
	at := &worldPage{url: w.url(), title: pick(w, worldTitles), time: pick(w, worldTimes[2:])}
	html := w.html(at.title)
	digest := fmt.Sprintf("WARC-Payload-Digest: sha1:%c", 'A'+w.r.IntN(3)) // sometimes of other contents, as wrong crawlers write
	switch w.r.IntN(8) {
	case 0:
		return moved(at.url, at.time, "301 Moved", w.url()), nil
	case 1:
		return warcRevisit(at.url, at.time, digest), &worldPage{url: at.url} // its content is not known here
	case 2:
		return warcRevisit(at.url, at.time), &worldPage{url: at.url}
	case 3:
		return warcRecord("resource", pick(w, []string{"urn:text:", "urn:textFinal:"})+at.url, at.time, "text/plain", pick(w, worldTexts)+" rendered "+at.title), &worldPage{url: at.url}
	case 4:
		at.noindex = true
		return warcRecord("response", at.url, at.time, "application/http;msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: noindex\r\n\r\n"+html, digest), at
	case 5:
		html = strings.Replace(html, "<p>", `<link rel=canonical href="`+w.url()+`"><p>`, 1)
	case 6:
		html = strings.Replace(html, "<p>", `<meta http-equiv=refresh content="0; url=`+w.url()+`"><p>`, 1)
	}
	return warcResponse(at.url, at.time, html, digest), at
}

// write puts the inputs into a folder and returns their paths in order. It may cut each input into several files, which
// hold the same records in the same order.
func (w *world) write(t testing.TB, files int) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for _, in := range w.inputs {
		for i := range files {
			part := in.records[i*len(in.records)/files : (i+1)*len(in.records)/files]
			b := []byte(in.head + strings.Join(part, ""))
			if strings.HasSuffix(in.name, ".gz") {
				b = nil
				for _, record := range part {
					b = append(b, zipped(t, record)...)
				}
			}
			path := filepath.Join(dir, fmt.Sprint(i, in.name))
			must(t, os.WriteFile(path, b, 0o666))
			if len(part) > 0 {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// config draws a configuration.
func (w *world) config(t testing.TB) config.Config {
	c := preset(t, pick(w, []string{"web", "paper2000"}))
	c.Captures, c.Canonical = pick(w, []config.Captures{"newest", "newest", "all"}), pick(w, []config.Canonical{"record", "trust"})
	c.Bags = pick(w, []config.Source{config.FromLinks, config.FromContent, config.FromBoth})
	return c
}

// winners returns the captures that must win, by URL, with the number of the input: the newest one, and the last of
// equally new ones. It omits URLs with captures of unknown content.
func (w *world) winners() map[string]worldPage {
	won, input, untold := map[string]worldPage{}, map[string]int{}, map[string]bool{}
	for i, in := range w.inputs {
		for _, p := range in.pages {
			switch {
			case p == nil:
			case p.title == "":
				untold[p.url] = true
			case p.time >= won[p.url].time:
				won[p.url], input[p.url] = *p, i
			}
		}
	}
	maps.DeleteFunc(won, func(url string, _ worldPage) bool { return untold[url] })
	for url, p := range won {
		p.url = fmt.Sprint(input[url])
		won[url] = p
	}
	return won
}

// TestWorlds checks that workers, memory and the ends of the parts of the read stage change no byte of a run and no
// count of its manifest; that it does not matter how the inputs are cut into files, as long as the records keep their
// order; and that the winning captures are those that time, input and record determine.
func TestWorlds(t *testing.T) {
	worldOf(t, 3, 16)
}

// worldOf compares runs of a world with several numbers of workers and two sizes of parts with that of one worker.
func worldOf(t *testing.T, seed uint64, workers ...int) {
	w := drawWorld(seed)
	c, paths := w.config(t), w.write(t, 1)
	dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, paths...)
	if c.Captures == "newest" {
		w.check(t, dir, paths)
	}
	want, tables := everything(t, dir), sums(t, dir)
	for i, n := range workers {
		o := pipeline.Options{Workers: n, Memory: pick(w, []int64{1 << 18, 8 << 20})}
		dir, _ := cluster(t, c, o.WithPartSize([]int64{1, smallPart, 1 << 20}[i%3]), paths...)
		if d := cmp.Diff(want, everything(t, dir)); d != "" {
			t.Errorf("%d workers: %s", n, d)
		}
	}
	same(t, "cut into more files", tables, c, pipeline.Options{Workers: 3}.WithPartSize(smallPart), w.write(t, 2)...)
}

func (w *world) check(t *testing.T, dir string, paths []string) {
	t.Helper()
	pages := rows(t, dir)
	for url, p := range w.winners() {
		row := pages[url]
		input, err := strconv.Atoi(p.url)
		must(t, err)
		if row.Title != p.title || row.NoIndex != p.noindex || !row.Crawled || row.Input != paths[input] {
			t.Errorf("%s: title %q, noindex %v, crawled %v, input %s; want %q, %v, %s", url, row.Title, row.NoIndex, row.Crawled, row.Input, p.title, p.noindex, paths[input])
		}
	}
}

// everything returns the checksums of all files of a run, and the manifest without times and memory.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	opened, err := run.Open(dir)
	must(t, err)
	m := *opened.Manifest
	m.Digest = "" // it includes the times
	for _, table := range m.Tables {
		out[table.Name] = table.Digest
	}
	m.Stages = slices.Clone(m.Stages)
	for i, s := range m.Stages {
		m.Stages[i] = run.StageStats{Name: s.Name, In: s.In, Out: s.Out, Dropped: s.Dropped, Counts: s.Counts}
	}
	m.Started, m.Finished = time.Time{}, time.Time{}
	b, err := json.MarshalIndent(m, "", " ")
	must(t, err)
	out[run.ManifestName] = string(b)
	return out
}
