package label_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/topic/label"
	"pgregory.net/rapid"
)

// crawl is a crawl of some pages, each described by a few sentences. A sentence is "before [anchor] after"; a sentence
// without brackets is a title.
type crawl struct {
	t       testing.TB
	numbers map[bags.Term]uint32
	words   []string
	crawl   label.Crawl
	voc     *text.Vocabulary
	members []label.Member
}

var english = text.Analysis{Language: "english", Stem: true, Stop: "snowball"}

// newCrawl makes bags from the words of all pages, weighing each word by its rarity. The extra words are also in 20
// more bags.
func newCrawl(t testing.TB, extra string, pages ...[]string) *crawl {
	t.Helper()
	voc, err := text.NewVocabulary(english)
	if err != nil {
		t.Fatal(err)
	}
	c := &crawl{t: t, voc: voc}
	df := map[bags.Term]uint32{}
	shown := map[bags.Term]string{}
	terms := func(s string) map[bags.Term]bool {
		out := map[bags.Term]bool{}
		var split text.Splitter
		split.Split([]byte(s), func(_, _ int, lower []byte) {
			if h := voc.Term(lower); h != 0 {
				out[h], shown[h] = true, string(lower)
			}
		})
		return out
	}
	var bag []map[bags.Term]bool
	for _, p := range pages {
		bag = append(bag, terms(strings.Join(p, " ")))
	}
	for range 20 {
		bag = append(bag, terms(extra))
	}
	for i := range 1000 {
		bag = append(bag, terms("filler"+string(rune('a'+i%26))))
	}
	for _, b := range bag {
		for h := range b {
			df[h]++
		}
	}
	for h := range df {
		c.crawl.Hash = append(c.crawl.Hash, uint64(h))
	}
	slices.Sort(c.crawl.Hash)
	c.numbers = map[bags.Term]uint32{}
	for i, h := range c.crawl.Hash {
		c.numbers[bags.Term(h)] = uint32(i)
		c.crawl.DF = append(c.crawl.DF, df[bags.Term(h)])
		c.words = append(c.words, shown[bags.Term(h)])
	}
	c.crawl.Bags.Links = uint64(len(bag))
	c.crawl.Word = func(term uint32) string { return c.words[term] }
	for i, p := range pages {
		c.members = append(c.members, c.member(uint64(100*i), bag[i], p))
	}
	return c
}

func (c *crawl) member(source uint64, has map[bags.Term]bool, sentences []string) label.Member {
	m := label.Member{URL: "https://postgr.es/c/1"}
	terms := make([]uint32, 0, len(has))
	for h := range has {
		terms = append(terms, c.numbers[h])
	}
	slices.Sort(terms)
	m.Bag.Terms = terms
	for _, t := range terms {
		m.Bag.Counts = append(m.Bag.Counts, uint16(10*math.Log(float64(c.crawl.Bags.Links)/float64(c.crawl.DF[t]))))
	}
	for i, s := range sentences {
		t := label.Text{Source: source + uint64(i), Language: "english"}
		before, rest, linked := strings.Cut(s, "[")
		if anchor, after, ok := strings.Cut(rest, "]"); linked && ok {
			t.Before, t.Name, t.After = []byte(before), []byte(anchor), []byte(after)
		} else if s != "" && !strings.HasPrefix(s, "bag: ") {
			t.Name = []byte(s)
		}
		m.Texts = append(m.Texts, t)
	}
	return m
}

func (c *crawl) label(members []label.Member) []string {
	c.t.Helper()
	l, err := label.New(c.crawl, english)
	if err != nil {
		c.t.Fatal(err)
	}
	return l.Label(members)
}

// TestLabel: a label has the whole phrases that several sources use for several members, and neither numbers nor words
// for navigation.
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		name  string
		extra string
		pages [][]string
		want  []string // the label has these phrases
		not   []string // and none with these words
		first string   // and begins with this one, if given
	}{
		{
			name: "a phrase that all share, and its usual form",
			pages: [][]string{
				{"[Vim] is a text editor", "Try [vim], the Text Editor"},
				{"[Kakoune], a modal text editor", "the [kakoune] text editor"},
				{"[Helix] is another text editor"},
			},
			want: []string{"text editor"}, not: []string{"vim", "kakoune", "helix"},
		},
		{
			name: "the name of the center, which all are about",
			pages: [][]string{
				{"[Neovim] home", "[Neovim]"},
				{"[Neovim] plugins, a list"},
				{"[A client for Neovim]"},
			},
			want: []string{"Neovim"},
		},
		{
			name: "chapter numbers are no words",
			pages: [][]string{
				{"13. Concurrency Control", "[13.1 Concurrency Control]"},
				{"13. ii Explicit Locking, Concurrency Control", "[13.3]"},
				{"[v13 11th Chapter 7 II] on concurrency control"},
			},
			want: []string{"Concurrency Control"}, not: []string{"13", "7", "ii", "v13", "chapter", "11th"},
		},
		{
			name: "what leads through pages is no subject",
			pages: [][]string{
				{"[click here] to read more of apples", "awesome apples [link]"},
				{"[click here] for the home page of apples"},
			},
			want: []string{"apples"}, not: []string{"click", "here", "home", "awesome", "link", "more"},
		},
		{
			name:  "words that the whole crawl has do not tell a cluster",
			extra: "library",
			pages: [][]string{{"[Ebiten], game, library"}, {"[Raylib], library, game"}, {"[Pixel]: game, library"}},
			want:  []string{"game"}, first: "game",
		},
		{
			name:  "a stop word binds a phrase",
			pages: [][]string{{"[Sidekiq] for Ruby on Rails"}, {"[Devise], a Ruby on Rails gem"}, {"[Rails guide] of Ruby on Rails"}},
			want:  []string{"Ruby on Rails"},
		},
		{
			name:  "signs of a name",
			pages: [][]string{{"[Boost], C++ parsers"}, {"[Qi] in C++ parsers"}},
			want:  []string{"C++ parsers"},
		},
		{
			name:  "languages with one letter",
			pages: [][]string{{"[dplyr], R"}, {"[ggplot2]: R"}, {"[shiny] (R)"}},
			want:  []string{"R"},
		},
		{
			name:  "other letters",
			pages: [][]string{{"[one], x: garden"}, {"[two], x: garden"}, {"[three], x: garden"}},
			want:  []string{"garden"}, not: []string{"x"},
		},
		{
			name:  "a part of names is not shown alone",
			pages: [][]string{{"[pg_dump], a client"}, {"[pg_restore], a client"}, {"[pg_basebackup], a client"}},
			want:  []string{"client"}, not: []string{"pg"},
		},
		{
			name:  "the end of a name is shown with its beginning",
			pages: [][]string{{"[Next.js] renders pages"}, {"[Learn] Next.js pages"}, {"[Next.js] routes pages"}},
			want:  []string{"Next.js"},
		},
		{
			name:  "a part of names if there is nothing else",
			pages: [][]string{{"SPI_commit"}, {"SPI_prepare"}, {"SPI_keepplan"}},
			want:  []string{"SPI"},
		},
		{
			name:  "no part of a longer name",
			pages: [][]string{{"[mongo-c-driver] of data"}, {"[old-c-driver] of data"}},
			not:   []string{"c-driver"},
		},
		{
			name:  "a word of the URLs alone is not shown beside others",
			pages: [][]string{{"[a fix] for crashes", "bag: postgr"}, {"[a fix] of crashes", "bag: postgr"}},
			want:  []string{"crashes"}, not: []string{"postgr"},
		},
		{
			name:  "a word of the heading above the links is",
			pages: [][]string{{"[a fix] for crashes", "bag: repairs"}, {"[a fix] of crashes", "bag: repairs"}},
			want:  []string{"crashes", "repairs"},
		},
		{
			name:  "of two words alike one is enough",
			pages: [][]string{{"[MongoDB] driver of mongo"}, {"[MongoDB] mongo shell"}},
			want:  []string{"MongoDB"}, not: []string{"mongo"},
		},
		{
			name:  "a cluster of the same title alone",
			pages: [][]string{{"2. Home"}, {"2. Home"}},
			want:  []string{"2. Home"},
		},
		{
			name:  "only the bags have it",
			pages: [][]string{{"bag: gardening"}, {"bag: gardening"}},
			want:  []string{"gardening"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			crawl := newCrawl(t, c.extra, c.pages...)
			got := crawl.label(crawl.members)
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("label %q does not have %q", got, w)
				}
			}
			if c.first != "" && got[0] != c.first {
				t.Errorf("label %q does not begin with %q", got, c.first)
			}
			words := strings.FieldsFunc(strings.ToLower(label.Join(got)), func(r rune) bool { return r == ' ' || r == ',' })
			for _, w := range c.not {
				if slices.Contains(words, w) {
					t.Errorf("label %q has %q", got, w)
				}
			}
		})
	}
}

// Members without texts and with empty bags have no label.
func TestEmpty(t *testing.T) {
	c := newCrawl(t, "")
	if got := c.label([]label.Member{{}, {}}); len(got) != 0 {
		t.Errorf("label %q of nothing", got)
	}
}

// A phrase that one source repeats does not count as the phrase of several sources.
func TestSeveralSources(t *testing.T) {
	c := newCrawl(t, "", []string{"[Alpha] blue widget"}, []string{"[Beta] blue widget"})
	for i := range c.members {
		for j := range c.members[i].Texts {
			c.members[i].Texts[j].Source = 7
		}
	}
	if got := c.label(c.members); slices.Contains(got, "blue widget") {
		t.Errorf("label %q has a phrase of one page", got)
	}
	c = newCrawl(t, "", []string{"[Alpha] blue widget"}, []string{"[Beta] blue widget"})
	if got := c.label(c.members); !slices.Contains(got, "blue widget") {
		t.Errorf("label %q lacks a phrase of two pages", got)
	}
}

// Neither the order of the members nor previously labelled clusters change a label, and a label stays within its
// bounds.
func TestOrder(t *testing.T) {
	words := strings.Fields("apple pear plum tree orchard fruit 12 of the red Go C++ pg_dump link Home sweet garden v7 ii")
	rapid.Check(t, func(t *rapid.T) {
		var pages [][]string
		for range rapid.IntRange(1, 6).Draw(t, "pages") {
			var p []string
			for range rapid.IntRange(1, 4).Draw(t, "sentences") {
				s := rapid.SliceOfN(rapid.SampledFrom(words), 1, 8).Draw(t, "words")
				at := rapid.IntRange(0, len(s)-1).Draw(t, "anchor")
				s[at] = "[" + s[at] + "]"
				p = append(p, strings.Join(s, " "))
			}
			pages = append(pages, p)
		}
		c := newCrawl(silent{}, "", pages...)
		l, err := label.New(c.crawl, english)
		if err != nil {
			t.Fatal(err)
		}
		want := l.Label(c.members)
		l.Label(c.members[:1])
		shuffled := slices.Clone(c.members)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := l.Label(shuffled); !slices.Equal(got, want) {
			t.Fatalf("label %q, in another order of the members %q", want, got)
		}
		n := 0
		for _, p := range want {
			n += len(strings.Fields(p))
		}
		if len(want) > label.MaxPhrases || n > label.MaxWords && len(want) > 1 {
			t.Fatalf("label %q is too long", want)
		}
	})
}

// silent is a testing.TB for helpers that cannot fail within a property.
type silent struct{ testing.TB }

func (silent) Helper()        {}
func (silent) Fatal(a ...any) { panic(a) }

// Words of languages without spaces are overlapping pairs of characters.
func TestWithoutSpaces(t *testing.T) {
	c := newCrawl(t, "", []string{"[数据库]"}, []string{"[数据库 教程]"}, []string{"[关系数据库]"})
	got := label.Join(c.label(c.members))
	if !strings.Contains(got, "数据") {
		t.Errorf("label %q", got)
	}
}
