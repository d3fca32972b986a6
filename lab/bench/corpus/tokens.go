package corpus

import (
	"encoding/binary"
	"hash/maphash"
	"iter"
	"slices"
)

// W is the number of tokens in a shingle.
const W = 5

// Tokens yields the places of the tokens of a text. A token is a maximal sequence of ASCII letters and digits; letters
// count in lower case. The texts of a corpus are ASCII, so that lshclust and every peer whose words are letters and
// digits cut them into the same tokens.
func Tokens(text []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from := -1
		for i, c := range text {
			switch in := inToken(c); {
			case in && from < 0:
				from = i
			case !in && from >= 0:
				if !yield(from, i) {
					return
				}
				from = -1
			}
		}
		if from >= 0 {
			yield(from, len(text))
		}
	}
}

func inToken(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hashSeed is one for the whole process, because hashes of one process are compared with each other only.
var hashSeed = maphash.MakeSeed()

// Shingles returns the set of the shingles of a text in ascending order. Each is the 64-bit hash of W tokens, so that
// two different shingles of a pair of texts are equal with a probability of about 2⁻⁴⁵ (a thousand shingles each).
func Shingles(text []byte) []uint64 {
	var recent [W]uint64
	var set []uint64
	var word []byte
	n := 0
	for from, to := range Tokens(text) {
		word = word[:0]
		for _, c := range text[from:to] {
			word = append(word, lower(c))
		}
		copy(recent[:], recent[1:])
		recent[W-1] = maphash.Bytes(hashSeed, word)
		if n++; n >= W {
			set = append(set, hashAll(&recent))
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

func hashAll(words *[W]uint64) uint64 {
	var b [8 * W]byte
	for i, w := range words {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
	return maphash.Bytes(hashSeed, b[:])
}

// Jaccard returns the number of values that two sorted sets share, divided by the number that either has. For two empty
// sets it is 0.
func Jaccard(a, b []uint64) float64 {
	shared := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	if shared == 0 {
		return 0
	}
	return float64(shared) / float64(len(a)+len(b)-shared)
}
