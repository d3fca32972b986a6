package capture

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// contest runs a contest of notes and returns the superseded captures and the rendered texts of winners.
func contest(t *testing.T, notes [][]byte) (superseded, texts []Number, c Contest) {
	slices.SortFunc(notes, bytes.Compare)
	add := func(n Number) error {
		if n&rowsMark != 0 && n&linksMark == 0 {
			texts = append(texts, n&^rowsMark)
		} else {
			superseded = append(superseded, n)
		}
		return nil
	}
	for _, note := range notes {
		if err := c.Add(note, add); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.End(add); err != nil {
		t.Fatal(err)
	}
	return superseded, texts, c
}

func TestContest(t *testing.T) {
	note := func(url uint64, order Order, number Number) []byte {
		return AppendNote(nil, url, order, number, Tells{})
	}
	page := func(url uint64, millis int64, n Number) []byte { return note(url, Order{millis, n}, n) }
	text := func(url uint64, millis int64, n Number) []byte {
		return note(url, Order{millis, n}.OfRendered(record.RenderedLoaded), n)
	}
	links := func(url uint64, millis int64, n Number) []byte { return note(url, Order{millis, n}, n.OfLinks()) }
	rows := RowsNumber("https://a.example", 0)
	for _, c := range []struct {
		name              string
		notes             [][]byte
		superseded, texts []Number
		several, byOrder  int64
	}{
		{"nothing", nil, nil, nil, 0, 0},
		{"one capture of each URL", [][]byte{page(0, 5, 1), page(1, 5, 2), links(2, 0, 3)}, nil, nil, 0, 0},
		{"the newest wins", [][]byte{page(1, 5, 9), page(1, 7, 2), page(1, 6, 3)}, []Number{3, 9}, nil, 1, 0},
		{"of one time the last record wins", [][]byte{page(1, 5, 1), page(1, 5, 2)}, []Number{1}, nil, 1, 1},
		{"only the winner's time decides how", [][]byte{page(1, 5, 1), page(1, 5, 2), page(1, 6, 3)}, []Number{2, 1}, nil, 1, 0},
		{"pages and links do not compete", [][]byte{page(1, 5, 1), links(1, 6, 2)}, nil, nil, 0, 0},
		{"links compete", [][]byte{page(1, 5, 1), links(1, 6, 2), links(1, 7, 3)}, []Number{Number(2).OfLinks()}, nil, 1, 0},
		{"rows of one capture", [][]byte{note(1, Order{0, 1}, rows), note(1, Order{0, 4}, rows)}, nil, nil, 0, 0},
		{"rendered text never wins", [][]byte{page(1, 5, 1), text(1, 8, 2)}, nil, []Number{2}, 0, 0},
		{"rendered text alone", [][]byte{text(1, 8, 2)}, nil, nil, 0, 0},
		{"two rendered texts", [][]byte{text(1, 8, 2), text(1, 8, 3)}, []Number{2}, nil, 1, 1},
	} {
		superseded, texts, n := contest(t, c.notes)
		if !slices.Equal(superseded, c.superseded) || !slices.Equal(texts, c.texts) || n.Several != c.several || n.ByOrder != c.byOrder {
			t.Errorf("%s: superseded %v, texts %v, %d URLs with several captures, %d decided by order", c.name, superseded, texts, n.Several, n.ByOrder)
		}
	}
}

// Superseded captures are counted if they may be other pages: with another text under another URL, or under an id at the
// same time.
func TestContestCountsOtherTexts(t *testing.T) {
	rules := urls.DefaultRules()
	page := func(millis int64, n Number, url string, text uint32) []byte {
		return AppendNote(nil, 1, Order{millis, n}, n, Tells{text, rules.Trace(url, "")})
	}
	const plain, www, slash = "https://a.example/p", "https://www.a.example/p", "https://a.example/p/"
	for _, c := range []struct {
		name  string
		notes [][]byte
		want  map[string]int64
	}{
		{"the same text", [][]byte{page(0, 1, plain, 5), page(0, 2, www, 5)}, nil},
		{"the same URL", [][]byte{page(0, 1, plain, 5), page(0, 2, plain, 6)}, nil},
		{"by two rules", [][]byte{page(0, 1, plain, 5), page(0, 2, www, 6), page(0, 3, slash, 7)}, map[string]int64{"slash": 2}},
		{"at other times", [][]byte{page(1, 1, plain, 5), page(2, 2, www, 6)}, map[string]int64{"www": 1}},
		{"no text", [][]byte{page(0, 1, plain, 5), AppendNote(nil, 1, Order{}, 0, Tells{})}, nil},
		{"ids", [][]byte{page(0, 1, "7", 5), page(0, 2, "7", 6), page(0, 3, "7", 5)}, map[string]int64{SameID: 1}},
		{"ids at other times", [][]byte{page(1, 1, "7", 5), page(2, 2, "7", 6)}, nil},
		{"rendered text", [][]byte{page(0, 1, plain, 5), AppendNote(nil, 1, Order{0, 2}.OfRendered(record.RenderedLoaded), 2, Tells{6, rules.Trace(www, "")})}, nil},
	} {
		if _, _, n := contest(t, c.notes); !maps.Equal(n.Other, c.want) {
			t.Errorf("%s: %v, want %v", c.name, n.Other, c.want)
		}
	}
}
