package resemble

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/shingles"
	"github.com/zeebo/xxh3"
)

// page is a line of the shared test data, with its visible text.
type page struct {
	url  string
	raw  uint64 // digest
	text []byte
}

var pagesOf = make(map[string][]page) // by folder

// realPages reads a folder of the shared data once, in the order of the hashes of the URLs.
func realPages(t testing.TB, folder string) []page {
	if pagesOf[folder] == nil {
		pagesOf[folder] = readPages(t, shareddata.Dir(t, folder))
	}
	return pagesOf[folder]
}

func readPages(t testing.TB, dir string) (all []page) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in %s: %v", dir, err)
	}
	vocabulary, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
	if err != nil {
		t.Fatal(err)
	}
	parser := text.Parser{Vocabulary: vocabulary}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
		if err != nil {
			t.Fatal(err)
		}
		version := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		for d := json.NewDecoder(z); d.More(); {
			var line struct{ URL, HTML, Text string }
			if err := d.Decode(&line); err != nil {
				t.Fatal(err)
			}
			p := page{url: line.URL, raw: xxh3.HashString(line.HTML + line.Text), text: []byte(line.Text)}
			if line.HTML != "" {
				p.url += "#" + version
				p.text = slices.Clone(parser.HTML([]byte(line.HTML)).Text)
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(x, y page) int {
		return cmp.Or(cmp.Compare(xxh3.HashString(x.url), xxh3.HashString(y.url)), strings.Compare(x.url, y.url))
	})
	return all
}

var shingled = make(map[string]Collection)

// realDocuments shingles the pages of a folder, once. All of npm is one host, whose common texts are licences, which
// are not boilerplate.
func realDocuments(t testing.TB, folder string, w int) Collection {
	key := fmt.Sprint(folder, w)
	if shingled[key] == nil {
		shingled[key] = shingle(t, realPages(t, folder), w)
	}
	return shingled[key]
}

func shingle(t testing.TB, pages []page, w int) (docs Collection) {
	s, err := shingles.New(shingles.Config{W: w})
	if err != nil {
		t.Fatal(err)
	}
	hosts := make(map[string]uint32)
	for _, p := range pages {
		var set shingles.Set
		s.Sketch(&set, p.text)
		host, _, _ := strings.Cut(strings.TrimPrefix(p.url, "https://"), "/")
		if strings.HasPrefix(p.url, "npm:") {
			host = "npm"
		}
		if _, ok := hosts[host]; !ok {
			hosts[host] = uint32(len(hosts))
		}
		docs = append(docs, Document{set.Values(), p.raw, s.Digest(), hosts[host]})
	}
	return docs
}
