package browser

import (
	"github.com/lshclust/lshclust/crawl/text"
)

// Alt is the Why of an image's alternative text.
const Alt = "alt"

// Word is one word of a reading.
type Word struct {
	Text     string
	From, To int    // place in Reading.Text
	Why      string // why it is not on the screen; "" for a word that is
}

// Edge is a place where an element begins or ends.
type Edge struct {
	At            int // place in Reading.Text
	Name, Display string
	Border        bool // words do not run through it
}

// Anchor is a link of a reading: its anchor text is Text[From:To].
type Anchor struct {
	ViewLink
	From, To int
}

// Reading is the text of a View in the order of the tree, with the words and links in it.
type Reading struct {
	Text  []byte
	Words []Word
	Edges []Edge
	Links []Anchor // those inside of drawings are left out

	spans []span
}

// span is text with one reason, from a place in Reading.Text to the next span.
type span struct {
	from int
	why  string
}

// Read puts together the text that is wanted.
func (v *View) Read(wanted func(Run) bool) *Reading {
	r := &Reading{}
	var open []int // links, the innermost last
	seen := 0
	for _, run := range v.Runs {
		switch run.Kind {
		case "t":
			if wanted(run) {
				r.add(run)
			}
		case "|", "e":
			r.Edges = append(r.Edges, Edge{len(r.Text), run.Text, run.Why, run.Kind == "|"})
			if run.Kind == "|" {
				r.Text = append(r.Text, '\n')
			}
		case "(":
			open = append(open, len(r.Links))
			r.Links = append(r.Links, Anchor{ViewLink: v.Links[seen], From: len(r.Text)})
			seen++
		case ")":
			r.Links[open[len(open)-1]].To = len(r.Text)
			open = open[:len(open)-1]
		}
	}
	r.cut()
	return r
}

// add appends text; that of an image is apart from what stands around it.
func (r *Reading) add(run Run) {
	if run.Why == Alt {
		r.Text = append(r.Text, ' ')
	}
	r.spans = append(r.spans, span{len(r.Text), run.Why})
	r.Text = append(r.Text, run.Text...)
	if run.Why == Alt {
		r.Text = append(r.Text, ' ')
	}
}

// cut makes words of the text, by the rules of package text.
func (r *Reading) cut() {
	var split text.Splitter
	at := 0
	split.Split(r.Text, func(from, to int, _ []byte) {
		for at+1 < len(r.spans) && r.spans[at+1].from <= from {
			at++
		}
		r.Words = append(r.Words, Word{string(r.Text[from:to]), from, to, r.spans[at].why})
	})
}

// Split gives the words of s as they are written.
func Split(s []byte) (words []string) {
	var split text.Splitter
	split.Split(s, func(from, to int, _ []byte) { words = append(words, string(s[from:to])) })
	return words
}
