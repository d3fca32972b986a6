package corpus

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// edit returns a copy of a document with edits that leave a resemblance of about Floor to 1 to the original, every
// value equally likely. One copy in twenty is exact. How alike the copies really are is computed from their shingles
// afterwards.
func (p *Pool) edit(r *rand.Rand, original []byte) []byte {
	kind, target := r.IntN(20), Floor+(1-Floor)*r.Float64()
	words := cut(original, 1)
	switch {
	case kind == 0:
		return original
	case kind < 11:
		words = p.editWords(r, words, target)
	case kind < 15:
		words = p.replaceBlock(r, words, target)
	case kind < 18:
		words = words[:int(float64(len(words))*target)]
	default:
		words = p.moveBlock(r, words, target)
	}
	return bytes.TrimSpace(bytes.Join(words, nil))
}

// editWords replaces, removes and adds words at random places. An edit far from all others changes W shingles of either
// text, so that e edits of n words leave a resemblance of (n-We)/(n+We).
func (p *Pool) editWords(r *rand.Rand, words [][]byte, target float64) [][]byte {
	words = slices.Clone(words)
	edits := int(float64(len(words)) * (1 - target) / (W * (1 + target)))
	for range edits {
		at := r.IntN(len(words))
		switch r.IntN(3) {
		case 0:
			words[at] = p.word(r)
		case 1:
			words = slices.Delete(words, at, at+1)
		case 2:
			words = slices.Insert(words, at, p.word(r))
		}
	}
	return words
}

// word returns a random word of the pool behind a space.
func (p *Pool) word(r *rand.Rand) []byte {
	words := cut(p.passages[r.IntN(len(p.passages))], 1)
	word := words[r.IntN(len(words))]
	return append([]byte(" "), bytes.TrimSpace(word)...)
}

// replaceBlock replaces a block of consecutive words with as many words from elsewhere.
func (p *Pool) replaceBlock(r *rand.Rand, words [][]byte, target float64) [][]byte {
	n := int(float64(len(words)) * (1 - target) / (1 + target))
	at := r.IntN(len(words) - n + 1)
	var other [][]byte
	for len(other) < n {
		passage := append([]byte("\n"), p.passages[r.IntN(len(p.passages))]...)
		other = append(other, cut(passage, 1)...)
	}
	return slices.Concat(words[:at], other[:n], words[at+n:])
}

// moveBlock moves a block of words to the front and then edits words. Moving alone changes no more than 3·W shingles.
func (p *Pool) moveBlock(r *rand.Rand, words [][]byte, target float64) [][]byte {
	from := r.IntN(len(words))
	to := from + r.IntN(len(words)-from)
	return p.editWords(r, slices.Concat(words[from:to], words[:from], words[to:]), target)
}
