package text

import (
	"encoding/binary"
	"math/bits"
	"unicode"
)

// scriptSample is the number of bytes of a page that byScript reads.
const scriptSample = 16 << 10

// scripts holds the scripts that are mostly used for one language. Kana come before Han, because Japanese has both. A
// character of these and Hangul says as much as about three Latin letters.
var scripts = [...]struct {
	language string
	share    int // the least percentage of all letters that shows the language, or a quarter of it if the page claims the language
	script   *unicode.RangeTable
}{
	{"japanese", 5, unicode.Hiragana}, {"japanese", 10, unicode.Katakana}, {"chinese", 20, unicode.Han}, {"korean", 20, unicode.Hangul},
	{"greek", 50, unicode.Greek}, {"hebrew", 50, unicode.Hebrew}, {"thai", 50, unicode.Thai}, {"armenian", 50, unicode.Armenian},
	{"georgian", 50, unicode.Georgian}, {"tamil", 50, unicode.Tamil}, {"bengali", 50, unicode.Bengali},
	{"telugu", 50, unicode.Telugu}, {"kannada", 50, unicode.Kannada}, {"malayalam", 50, unicode.Malayalam}, {"gujarati", 50, unicode.Gujarati},
	{"punjabi", 50, unicode.Gurmukhi}, {"sinhala", 50, unicode.Sinhala}, {"khmer", 50, unicode.Khmer}, {"lao", 50, unicode.Lao},
	{"burmese", 50, unicode.Myanmar}, {"amharic", 50, unicode.Ethiopic},
}

// mostlyForeign reports whether a page has enough bytes beyond ASCII to examine its letters.
func mostlyForeign(text []byte) bool {
	text = text[:min(len(text), scriptSample)]
	n, i := 0, 0
	for ; i+8 <= len(text); i += 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(text[i:i+8]) & highBits)
	}
	return 4*(n+bits.OnesCount64(load(text, i)&highBits)) > len(text)
}

// byScript returns the language that the letters show, or "" if they belong to several languages, for a page that claims a
// language.
func byScript(text []byte, claimed string) string {
	var n [len(scripts)]int
	letters := 0
	for _, r := range string(text[:min(len(text), scriptSample)]) {
		if r < 0x370 {
			if r >= 'A' && unicode.IsLetter(r) {
				letters++
			}
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			continue
		}
		letters++
		for i := range scripts {
			if unicode.Is(scripts[i].script, r) {
				n[i]++
				break
			}
		}
	}
	for i, s := range scripts {
		share := s.share
		if s.language == claimed {
			share /= 4
		}
		if n[i] > 0 && 100*n[i] >= share*letters {
			return s.language
		}
	}
	return ""
}

// alphabets holds the Cyrillic letters of languages beyond those that all of them have.
var alphabets = map[string]string{
	"russian": "ийщъыьэюяё", "ukrainian": "ийщьюяіїєґ", "bulgarian": "ийщъьюя", "belarusian": "йыьэюяёіў", "serbian": "ијљњђћџ", "macedonian": "ијљњџѓќѕ",
}

// spelled are the languages in alphabets, bit i for worded[i].
var spelled = func() (mask uint64) {
	for name := range alphabets {
		mask |= bitOf(name)
	}
	return mask
}()

// ruledOut returns the languages that the letters of a text rule out, bit i for worded[i]: those in Latin letters if most
// letters are others, and those in whose alphabet one Cyrillic letter in strangeShare is missing.
func ruledOut(text []byte) (mask uint64) {
	latin, letters, cyrillic := 0, 0, 0
	var n [256]int // of the letters of the Cyrillic block
	for _, r := range string(text[:min(len(text), scriptSample)]) {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
		if r = unicode.ToLower(r) - 0x400; 0 <= r && r < 256 {
			n[r]++
			cyrillic++
		}
	}
	for i, t := range worded {
		strange := cyrillic
		for _, r := range "абвгдежзклмнопрстуфхцчш" + alphabets[t.name] {
			strange -= n[r-0x400]
		}
		if t.latin && 2*latin <= letters || spelled>>i&1 != 0 && strange*strangeShare >= cyrillic {
			mask |= 1 << i
		}
	}
	return mask
}

const strangeShare = 100
