package capture

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

func TestPlaceEncoding(t *testing.T) {
	p := Place{Key: 1<<63 + 5, Revisit: true, Order: Order{-7, 9}, At: Location{3, 1 << 40, 17}}
	b := p.Append(nil)
	if got := DecodePlace(b); len(b) != PlaceSize || got != p {
		t.Errorf("%d bytes, %v, want %v", len(b), got, p)
	}
	m := Match{Original: p.At, Revisit: Location{1, 2, 3}, Number: 1<<62 + 1}
	if b = m.Append(nil); len(b) != MatchSize || DecodeMatch(b) != m {
		t.Errorf("%d bytes, %v, want %v", len(b), DecodeMatch(b), m)
	}
}

// A revisit refers to the newest original with its digest up to the time that it names, or to the oldest. Without a
// digest it refers to a capture of the URL that it names, or of its own.
func TestMatcher(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2020, 1, 1, 0, minute, 0, 0, time.UTC) }
	const a, b = "https://a.example", "https://b.example"
	var places []Place
	originals := func(url, digest string, minute int, offset int64) {
		places = OriginalPlaces(places, crawl.Revisit{Canonical: url, Digest: digest, Time: at(minute)}, Number(offset), Location{Offset: offset})
	}
	originals(a, "one", 10, 1)
	originals(a, "one", 20, 2)
	originals(b, "one", 20, 3) // among those of one time, the last record wins
	originals(b, "", 30, 4)
	originals(b, "two", 40, 5)
	revisits := []struct {
		name string
		crawl.Revisit
		want int64 // 0: none
	}{
		{"by digest, in between", crawl.Revisit{Canonical: a, Digest: "one", RefersTo: at(15)}, 1},
		{"by digest, at the time", crawl.Revisit{Canonical: a, Digest: "one", RefersTo: at(20)}, 3},
		{"by digest, before all", crawl.Revisit{Canonical: a, Digest: "one", RefersTo: at(5)}, 1},
		{"by digest, no time", crawl.Revisit{Canonical: a, Digest: "two", Time: at(50)}, 5},
		{"by an unknown digest", crawl.Revisit{Canonical: a, Digest: "three", RefersTo: at(15)}, 0},
		{"by URL, the last one before", crawl.Revisit{Canonical: b, Time: at(35)}, 4},
		{"by the URL that it names", crawl.Revisit{Canonical: a, RefersURL: b, RefersTo: at(45)}, 5},
		{"by a URL without captures", crawl.Revisit{Canonical: "https://c.example", Time: at(50)}, 0},
	}
	for i, r := range revisits {
		places = append(places, RevisitPlace(r.Revisit, Number(100+i), Location{Offset: int64(100 + i)}))
	}
	slices.SortFunc(places, func(x, y Place) int { return bytes.Compare(x.Append(nil), y.Append(nil)) })
	var m Matcher
	for _, p := range places {
		original, ok := m.Match(p)
		if !p.Revisit {
			if ok {
				t.Errorf("the original at %d has an original", p.At.Offset)
			}
			continue
		}
		r := revisits[p.Order.Record-100]
		if ok != (r.want != 0) || original.Offset != r.want {
			t.Errorf("%s: the original at %d, want %d", r.name, original.Offset, r.want)
		}
	}
}

// If there are more originals than fit in memory, Matcher keeps the newest ones and the oldest.
func TestMatcherOfMany(t *testing.T) {
	var m Matcher
	const n = 3 * maxOriginals
	for i := range int64(n) {
		m.Match(Place{Key: 1, Order: Order{Millis: n - i}, At: Location{Offset: n - i}})
	}
	for millis, want := range map[int64]int64{n: n, n - 5: n - 5, n - maxOriginals + 2: n - maxOriginals + 2, n / 2: 1, 1: 1, 0: 1} {
		if got, ok := m.Match(Place{Key: 1, Revisit: true, Order: Order{Millis: millis}}); !ok || got.Offset != want {
			t.Errorf("at %d the original of %d, want %d", millis, got.Offset, want)
		}
	}
}

func TestRevisited(t *testing.T) {
	p := crawl.Page{URL: "http://old.example/", Canonical: "https://old.example", HTML: []byte("content"), Warnings: []*crawl.Skip{{}}}
	v := crawl.Revisit{URL: "http://new.example/", Canonical: "https://new.example", Time: time.UnixMilli(5)}
	Revisited(&p, v, crawl.Position{File: "f", Offset: 9})
	if p.URL != v.URL || p.Canonical != v.Canonical || !p.Time.Equal(v.Time) || string(p.HTML) != "content" || p.Pos.Offset != 9 || p.Warnings != nil {
		t.Errorf("%+v", p)
	}
}
