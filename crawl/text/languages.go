package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// languageWords holds a paragraph for each language: its name, the codes that begin its tags, the share of the words of a
// text that its function words usually make up, in percent, and these words. They show the language of a page, and are its stop words. After an empty line follow
// languages that their letters show.
//
// Most languages without a stemmer are here to be recorded and not mistaken for their neighbours.
//
//go:embed languages.txt
var languageWords string

// tongue is a language of languageWords.
type tongue struct {
	name  string
	codes []string
	words string // with spaces or new lines between them
	share int    // of its words in a text, in percent
	latin bool   // written in Latin letters
}

// worded are the languages that their words show, lettered those that their letters show.
var worded, lettered = func() (worded, lettered []tongue) {
	first, second, _ := strings.Cut(languageWords, "\n\n")
	return readTongues(first), readTongues(second)
}()

func readTongues(s string) (all []tongue) {
	from, at := 0, 0 // of the words of a language
	for line := range strings.Lines(s) {
		if head, _, ok := strings.Cut(line, ":"); ok {
			names := strings.Fields(head)
			t := tongue{name: names[0], codes: names[1:]}
			if n, err := strconv.Atoi(names[len(names)-1]); err == nil {
				t.share, t.codes = n, names[1:len(names)-1]
			}
			all, from = append(all, t), at+len(head)+1
		}
		at += len(line)
		t := &all[len(all)-1]
		t.words = strings.TrimSpace(s[from:at])
		r, _ := utf8.DecodeLastRuneInString(t.words)
		t.latin = unicode.Is(unicode.Latin, r)
	}
	return all
}

// functions is a hash table of the function words by their keys, with open addressing. Words of one Latin letter are
// left out, because they number lists.
var functions functionTable

// fillFunctions fills functions, once. Most commands have no use for them.
var fillFunctions = sync.OnceFunc(func() {
	t := &functions // which is too large to be returned
	t.masks = []uint64{0}
	for i, l := range worded {
		for w := range strings.FieldsSeq(l.words) {
			key := hashWord([]byte(w))
			at := t.place(key)
			if len(w) > 1 {
				if t.keys[at] == 0 {
					t.keys[at], t.numbers[at] = key, uint16(len(t.masks))
					t.add(key)
					t.masks = append(t.masks, 0)
					letters := load([]byte(w), 0)
					_, _, hash := shortPlaces(letters)
					if len(w) > 8 {
						t.longer[hash>>6] |= 1 << (hash & 63)
					} else {
						t.addShort(letters, t.numbers[at])
					}
				}
				t.masks[t.numbers[at]] |= 1 << i
			}
		}
	}
})

// maxFunctionWords is an upper bound of the number of function words of all languages.
const maxFunctionWords = 1 << 12

type functionTable struct {
	keys    [2 * maxFunctionWords]uint64 // 0 if empty
	numbers [2 * maxFunctionWords]uint16 // of the words, beginning with 1
	masks   []uint64                     // by number, the languages that have the word: bit i for worded[i]
	filter  [1 << 10]uint64              // a bit for each hash of 16 bits that a key has

	// The words of up to eight ASCII letters, each at one of the two places that shortPlaces returns.
	short   [2 << shortBits]uint64 // the letters, 0 if empty
	shortly [2 << shortBits]uint16 // numbers of the words
	longer  [1 << 10]uint64        // a bit for each hash that the first eight letters of a longer word have
}

const shortBits = 12

// shortPlaces returns two places of short and a hash of 16 bits, given up to eight letters.
func shortPlaces(letters uint64) (a, b, hash uint64) {
	h := letters * 0x9E3779B97F4A7C15
	return h >> (64 - shortBits), 1<<shortBits | h>>(64-2*shortBits)&(1<<shortBits-1), h >> 48
}

// addShort adds a word of up to eight letters, and moves others to their other places until each has one.
func (t *functionTable) addShort(letters uint64, number uint16) {
	for at, _, _ := shortPlaces(letters); ; {
		t.short[at], letters = letters, t.short[at]
		t.shortly[at], number = number, t.shortly[at]
		if letters == 0 {
			return
		}
		a, b, _ := shortPlaces(letters)
		at = a ^ b ^ at
	}
}

// numbered returns the number of the word of n ASCII letters that begins with the lower-case letters, or 0 if it is none
// of the words of up to eight. It has no branches, because every second word of a text is a function word. longer reports
// whether the table may have a word of more letters.
func (t *functionTable) numbered(letters uint64, n int) (number uint16, longer bool) {
	over := uint64(8-n) >> 63 // 1 for more than eight letters
	letters = letters&(1<<(8*uint(n)&63)-1) | letters&-(over|uint64(n)>>3&1)
	a, b, hash := shortPlaces(letters)
	number, other := t.shortly[a], t.shortly[b]
	if t.short[a] != letters {
		number = 0
	}
	if t.short[b] != letters {
		other = 0
	}
	return (number | other) &^ -uint16(over), t.longer[hash>>6]>>(hash&63)&over != 0
}

// add and may are the filter: may reports whether a key can be in the table. It rules out 19 of 20 other words.
func (t *functionTable) add(key uint64)      { t.filter[key>>54] |= 1 << (key >> 48 & 63) }
func (t *functionTable) may(key uint64) bool { return t.filter[key>>54]>>(key>>48&63)&1 != 0 }

// place returns the place of a key, or the empty place where it belongs.
func (t *functionTable) place(key uint64) uint64 {
	at := key % uint64(len(t.keys))
	for t.keys[at] != key && t.keys[at] != 0 {
		at = (at + 1) % uint64(len(t.keys))
	}
	return at
}

// LanguageNumber returns the number of a language that Doc.Language may name, and 0 for "". Tables store these numbers,
// so append new languages to the ends of their lists, and then give the tables of runs a new version.
func LanguageNumber(name string) uint8 {
	for i := range worded {
		if worded[i].name == name {
			return uint8(i + 1)
		}
	}
	for i := range scripts {
		if scripts[i].language == name {
			return uint8(128 + i)
		}
	}
	return 0
}

// LanguageName returns the language with a number, and "" for 0 and for numbers without a language.
func LanguageName(n uint8) string {
	switch {
	case n > 0 && int(n) <= len(worded):
		return worded[n-1].name
	case n >= 128 && int(n)-128 < len(scripts):
		return scripts[n-128].language
	}
	return ""
}
