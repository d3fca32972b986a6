package capture

import (
	"slices"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// A page gets the text that a browser rendered closest to it, within a day; the other texts are superseded.
func TestRenderedTexts(t *testing.T) {
	const url, other = 1, 2
	note := func(url uint64, hours int64, n Number, at crawl.Rendering) []byte {
		return AppendNote(nil, url, Order{hours * time.Hour.Milliseconds(), n}.OfRendered(at), n, Tells{})
	}
	loaded := func(url uint64, hours int64, n Number) []byte { return note(url, hours, n, record.RenderedLoaded) }
	for _, c := range []struct {
		name  string
		texts [][]byte
		want  []Number
	}{
		{"none", nil, nil},
		{"of another URL", [][]byte{loaded(other, 100, 2)}, nil},
		{"too early, too late", [][]byte{loaded(url, 75, 2), loaded(url, 125, 3)}, nil},
		{"the closest", [][]byte{loaded(url, 90, 2), loaded(url, 103, 3), loaded(url, 110, 4)}, []Number{3}},
		{"of one distance the newest", [][]byte{loaded(url, 98, 4), loaded(url, 102, 3)}, []Number{3}},
		{"of one time the last record", [][]byte{loaded(url, 102, 4), loaded(url, 102, 3)}, []Number{4}},
		{"the first record of the inputs", [][]byte{loaded(url, 102, 0)}, []Number{0}},
		{"after the scripts", [][]byte{loaded(url, 100, 3), note(url, 110, 2, record.RenderedFinal)}, []Number{2}},
		{"too late after the scripts", [][]byte{loaded(url, 100, 3), note(url, 125, 2, record.RenderedFinal)}, []Number{3}},
	} {
		superseded, texts, _ := contest(t, append([][]byte{note(url, 100, 9, record.NotRendered)}, c.texts...))
		if !slices.Equal(texts, c.want) {
			t.Errorf("%s: %v, want %v", c.name, texts, c.want)
		}
		if c.name != "of another URL" && len(superseded)+len(texts) != len(c.texts) {
			t.Errorf("%s: %v superseded of %d", c.name, superseded, len(c.texts))
		}
	}
}
