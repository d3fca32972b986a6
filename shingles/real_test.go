package shingles

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// shinglesOf returns the shingles of RFC texts.
func shinglesOf(t *testing.T, dir string, c Config) map[string]*Set {
	f, err := os.Open(filepath.Join(dir, "docs.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s, out := newShinglerT(t, c), map[string]*Set{}
	for d := json.NewDecoder(z); d.More(); {
		var doc struct{ URL, Text string }
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		out[doc.URL] = new(Set)
		s.Sketch(out[doc.URL], []byte(doc.Text))
	}
	return out
}

// TestLongRealResemblance compares the exact resemblance of versions of RFCs with that of another tokeniser, in
// pairs.tsv, and the estimates of all sketches with the exact one: theory expects a mean square error of 1 in standard
// errors, and next to none over 4 of them. The pairs share documents and so are not independent; the bounds are wide.
func TestLongRealResemblance(t *testing.T) {
	dir := shareddata.Dir(t, "neardup-rfc")
	docs := shinglesOf(t, dir, Config{W: 4})
	f, err := os.Open(filepath.Join(dir, "pairs.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type figures struct {
		n, far         int
		squares, worst float64
	}
	kinds := []Sketcher{{}, {Kind: Min}, {Kind: Var}}
	found, pairs := make([]figures, len(kinds)), 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(c[0], "#") || len(c) < 6 {
			continue
		}
		want, err := strconv.ParseFloat(c[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		a, b := docs[c[0]], docs[c[1]]
		whole := a.Compare(b)
		r, _ := whole.Resemblance()
		if pairs++; math.Abs(r-want) > 0.02 {
			t.Errorf("%s and %s: resemblance %.3f, want %.3f", c[0], c[1], r, want)
		}
		for i, kind := range kinds {
			x, y := kind.New(), kind.New()
			x.AddAll(a.Values())
			y.AddAll(b.Values())
			o := kind.Overlap(Stored{x.Values(), a.Len()}, Stored{y.Values(), b.Len()})
			variance := withoutReplacement(r, float64(o.Union()), float64(whole.Union()))
			estimate, ok := o.Resemblance()
			if !ok || variance < 1e-12 {
				continue
			}
			z, s := (estimate-r)/math.Sqrt(variance), &found[i]
			s.n++
			s.squares += z * z
			s.worst = max(s.worst, math.Abs(estimate-r))
			if math.Abs(z) > 4 {
				s.far++
			}
		}
	}
	for i, s := range found {
		mean := s.squares / float64(s.n)
		t.Logf("%-8s %d of %d pairs, mean square %.2f standard errors, worst error %.3f, %d over 4", kinds[i], s.n, pairs, mean, s.worst, s.far)
		if s.n < 400 || mean < 0.6 || mean > 1.6 || s.far*50 > s.n {
			t.Errorf("%s: errors are not those of sampling", kinds[i])
		}
	}
}
