// Package corpus generates collections of texts with planted near-duplicates, and judges pairs of them exactly.
//
// A [Pool] holds passages of real texts. A document is a function of a [Config] and its number: two or more excerpts
// from random places of the pool, or an edited copy of such a document. So any part of a corpus can be generated without
// the rest, and the memory does not grow with the number of documents:
//
//	pool, err := corpus.ReadPool(dir)
//	c := corpus.Config{Documents: 97215, Planted: corpus.DefaultPlanted, Seed: 1}
//	err = c.Write(out, pool)       // JSON Lines
//	err = c.WriteTruth(out, pool)  // planted pairs with their exact resemblance
//
// Documents that are not planted also have text in common, because excerpts overlap; a million documents use each
// passage about 40 times. [Judge] tells how alike any two documents are.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Family is the number of documents of a planted family: an original and edited copies of it.
const Family = 4

// Floor is the least resemblance of the pairs in the truth, and the least that edits aim at.
const Floor = 0.5

// DefaultPlanted is the share of the documents of a corpus that are in families, unless told otherwise.
const DefaultPlanted = 0.3

// Config decides every byte of a corpus, together with the pool.
type Config struct {
	Documents int
	Planted   float64 // the share of the documents that are in families
	Seed      uint64
}

// families returns the number of planted families. Their members have the numbers from 0 to families·Family.
func (c Config) families() int { return int(float64(c.Documents) * c.Planted / Family) }

// URL returns the name of a document. Members of a family do not stand together in the file, but names tell who is a
// copy of whom: the number of a member divided by Family is that of its family.
func URL(number int) string { return fmt.Sprintf("https://texts.example/%d", number) }

// random returns the source of random numbers for a document.
func (c Config) random(number int) *rand.Rand {
	return rand.New(rand.NewPCG(c.Seed, uint64(number)))
}

// Document returns the text of a document.
func (c Config) Document(p *Pool, number int) []byte {
	if number >= c.families()*Family || number%Family == 0 {
		return p.compose(c.random(number))
	}
	original := p.compose(c.random(number - number%Family))
	return p.edit(c.random(number), original)
}

// compose makes a document of about 350 tokens: excerpts of two to five consecutive passages each, the last one cut.
func (p *Pool) compose(r *rand.Rand) []byte {
	want := int(min(max(math.Exp(5.75+0.5*r.NormFloat64()), 120), 3000))
	var doc []byte
	for want > 0 {
		at := r.IntN(len(p.passages))
		for _, passage := range p.passages[at:min(at+2+r.IntN(4), len(p.passages))] {
			piece := cut(passage, want)[0]
			want -= count(piece)
			doc = append(append(doc, bytes.TrimSpace(piece)...), "\n\n"...)
			if want <= 0 {
				break
			}
		}
	}
	return bytes.TrimSpace(doc)
}

func count(content []byte) (tokens int) {
	for range Tokens(content) {
		tokens++
	}
	return tokens
}

// order returns the number of the document at each place in the file: a walk over all numbers in long steps.
func (c Config) order(yield func(number int) bool) {
	step := int(float64(c.Documents)*0.618) | 1
	for gcd(step, c.Documents) != 1 {
		step += 2
	}
	for i, number := 0, 0; i < c.Documents; i++ {
		if !yield(number) {
			return
		}
		number = (number + step) % c.Documents
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Line is a document in a corpus file.
type Line struct {
	URL  string `json:"url"`
	Text string `json:"text"`
}

// Write writes the corpus as JSON Lines.
func (c Config) Write(w io.Writer, p *Pool) error {
	out := bufio.NewWriterSize(w, 1<<20)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for number := range c.order {
		if err := lines.Encode(Line{URL(number), string(c.Document(p, number))}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteTruth writes all pairs within planted families with a resemblance of Floor or more, as a table with the columns
// url_a, url_b, jaccard.
func (c Config) WriteTruth(w io.Writer, p *Pool) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "# url_a\turl_b\tjaccard")
	for family := range c.families() {
		var sets [Family][]uint64
		for i := range sets {
			sets[i] = Shingles(c.Document(p, family*Family+i))
			for j := range i {
				if r := Jaccard(sets[i], sets[j]); r >= Floor {
					fmt.Fprintf(out, "%s\t%s\t%.6f\n", URL(family*Family+j), URL(family*Family+i), r)
				}
			}
		}
	}
	return out.Flush()
}
