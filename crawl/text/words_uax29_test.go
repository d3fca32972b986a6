package text

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// Where a Splitter cuts otherwise than UAX 29 does: the classes of differences. Each is counted once a token of UAX 29.
const (
	classNone     = "the same"
	classUnspaced = "scripts without spaces: words of two characters, where UAX 29 has single ones, and runs of katakana"
	classPoint    = "points, commas, colons, apostrophes in numbers, underscores: end a word"
	classHebrew   = "quotation mark at the end of a Hebrew word: no part of it"
	classSign     = "signs that UAX 29 counts as letters or digits and Unicode's general category does not"
	classNoWord   = "no letter and no digit: no word"
)

// unicode29 cuts text into words by an independent implementation of UAX 29, asks that one alone what each character
// is, and makes of its tokens what the documentation of Splitter says.
type unicode29 struct {
	properties map[rune]property
	counts     map[string]int
	examples   map[string]string
}

func newUnicode29() *unicode29 {
	return &unicode29{map[rune]property{}, map[string]int{}, map[string]string{}}
}

// property is what UAX 29 makes of a character, read off what it joins.
type property struct {
	extend             bool // Extend, Format, ZWJ: joined to whatever is before it
	letter, digit      bool
	underscore         bool // ExtendNumLet
	katakana           bool
	between, inNumbers bool // joins letters, digits
}

func joined(s string) bool {
	it := words.FromString(s)
	return it.Next() && it.End() == len(s)
}

func (u *unicode29) of(r rune) property {
	p, ok := u.properties[r]
	if !ok {
		s := string(r)
		p.extend = r > ' ' && joined(","+s)
		p.underscore = !p.extend && joined("ア"+s) && joined("a"+s)
		plain := !p.extend && !p.underscore
		p.letter = plain && joined("a:"+s)
		p.digit = plain && joined("1,"+s)
		p.katakana = plain && joined("ア"+s)
		p.between = plain && !p.letter && !p.digit && (joined("a"+s+"a") || joined("א"+s+"א"))
		p.inNumbers = plain && !p.letter && !p.digit && joined("1"+s+"1")
		u.properties[r] = p
	}
	return p
}

// unit is a character with what is joined to it.
type unit struct {
	from, to int
	base     rune
	property
}

func (u *unicode29) units(s string, at int) (out []unit) {
	for i, r := range s {
		p, to := u.of(r), at+i+utf8.RuneLen(r)
		if p.extend && len(out) > 0 {
			out[len(out)-1].to = to
			continue
		}
		out = append(out, unit{at + i, to, r, p})
	}
	return out
}

// joints are what joins letters here as in UAX 29; of what else does there (full stop, colon, ...) words here end.
const joints = "'’‘＇·\u0387\u2027\"\u05F4\u05F3"

// repeats are signs of Chinese and Japanese that repeat a character. To UAX 29 they are letters.
const repeats = "々〻〼\U00016FE3"

// isGlyph tells whether a unit is a character of a script without spaces: to UAX 29 those are no letters.
func (x unit) isGlyph() bool {
	return !x.letter && !x.digit && !x.extend && (spells(x.base) || unicode.Is(unicode.Han, x.base)) || strings.ContainsRune(repeats, x.base)
}

func (x unit) isSpelt() bool { return x.letter || x.digit }

// joins tells whether a unit is a letter that joints join to another, here as in UAX 29.
func (x unit) joins() bool {
	return x.letter && spells(x.base) && !strings.ContainsRune(repeats, x.base)
}

// split gives the places of the words.
func (u *unicode29) split(s string) (out [][2]int) {
	var glyphs []unit
	flush := func() {
		for i := 0; i+1 < len(glyphs); i++ {
			out = append(out, [2]int{glyphs[i].from, glyphs[i+1].to})
		}
		if len(glyphs) == 1 {
			out = append(out, [2]int{glyphs[0].from, glyphs[0].to})
		}
		glyphs = glyphs[:0]
	}
	for it := words.FromString(s); it.Next(); {
		units := u.units(it.Value(), it.Start())
		class := classNone
		for i := 0; i < len(units); {
			if units[i].isGlyph() {
				glyphs, class = append(glyphs, units[i]), classUnspaced
				i++
				continue
			}
			flush()
			n := u.run(units[i:], &class)
			if n == 0 {
				i++
				continue
			}
			out = append(out, [2]int{units[i].from, units[i+n-1].to})
			i += n
		}
		if !slices.ContainsFunc(units, func(x unit) bool { return x.isSpelt() || x.isGlyph() }) {
			class = classNoWord
		}
		u.count(class, it.Value())
	}
	flush()
	return out
}

// run is the number of units from the first on that are one word; class becomes why it ends inside of a token.
func (u *unicode29) run(units []unit, class *string) (n int) {
	for n < len(units) {
		x := units[n]
		switch {
		case x.isSpelt() && strings.ContainsRune(joints, x.base) || x.between && strings.ContainsRune(joints, x.base):
			if n == 0 || !units[n-1].joins() || n+1 == len(units) || !units[n+1].joins() {
				*class = classHebrew
				if n > 0 && units[n-1].digit || n+1 < len(units) && units[n+1].digit {
					*class = classPoint
				}
				return n
			}
		case strings.ContainsRune(repeats, x.base):
			return n
		case x.isSpelt() && !spells(x.base):
			*class = classSign
			return n
		case !x.isSpelt():
			if x.katakana {
				*class = classSign
			} else if n > 0 || x.underscore || x.between || x.inNumbers {
				*class = classPoint
			}
			return n
		}
		n++
	}
	return n
}

// spells tells what Unicode's general category calls a letter or a digit.
func spells(r rune) bool { return unicode.In(r, unicode.L, unicode.Nd, unicode.Nl) }

func (u *unicode29) count(class, example string) {
	u.counts[class]++
	if old, ok := u.examples[class]; !ok || len(example) < len(old) || len(example) == len(old) && example < old {
		u.examples[class] = example
	}
}

func (u *unicode29) log(t *testing.T) {
	t.Helper()
	classes := slices.SortedFunc(maps.Keys(u.counts), func(a, b string) int { return cmp.Compare(u.counts[b], u.counts[a]) })
	for _, c := range classes {
		t.Logf("%9d  %s, such as %q", u.counts[c], c, u.examples[c])
	}
}

// compare fails for a text that is cut otherwise than UAX 29 and the classes of differences say.
func (u *unicode29) compare(t interface {
	Helper()
	Errorf(string, ...any)
}, s string) bool {
	t.Helper()
	var got [][2]int
	var p Splitter
	p.Split([]byte(s), func(from, to int, _ []byte) { got = append(got, [2]int{from, to}) })
	want := u.split(s)
	if slices.Equal(got, want) {
		return true
	}
	t.Errorf("%+q: %s, want %s", s, places(s, got), places(s, want))
	return false
}

func places(s string, at [][2]int) string {
	var out []string
	for _, p := range at {
		out = append(out, fmt.Sprintf("%+q", s[p[0]:p[1]]))
	}
	return strings.Join(out, " ")
}

// scriptSamples are written by hand, one line or more of each script.
var scriptSamples = []string{
	"Don't panic, it’s ‘rock'n'roll’: 3.14 and 1,000 and 1'000 x86 v1.2.3 example.com e.g. U.S.A. foo_bar a:b std::string #tag @name",
	"L’été à l'hôtel, aujourd’hui; naïve, Ünïcode, STRASSE straße, ﬁne, İstanbul, ǅ, ſ",
	"e\u0301te\u0301 cafe\u0301's a\u0301\u0302b \u0301lone n\u0303", "la col·lecció de l'intel·ligència, 3·4, paral\u2027lel",
	"Donau\u00ADdampf\u00ADschiff, co\u00ADop, zero\u200Bwidth, word\u2060joiner, a\u200Eb \u200Fc",
	"Слова русского языка, объём 3,5 км, по-русски, з'їзд, п’ять, м\u0301аленький", "Λέξεις της ελληνικής, τί\u0387 ἀρχὴ δ᾽ ἦν, ΟΔΟΣ",
	"Մայրենի լեզուն՝ հայերենը։ Բարի՛ օր", "ქართული ენა, მხედრული ᲓᲐ ასომთავრული", "צה״ל צה\"ל ג׳ירפה ג'ירפה ר' ״שלום״ \"שלום\" בְּרֵאשִׁית א'ב",
	"اللغة العربية، كِتَابٌ ١٢٣٫٤ و٥٬٦", "می\u200Cخواهم کتاب\u200Cها را بخوانم ۱۲۳", "اُردو زبان", "हिन्दी में क्षत्रिय क्\u200Dष क्\u200Cष १२३ देवनागरी।", "বাংলা ভাষায় ক্\u200Cষ", "ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ",
	"தமிழ் மொழி", "తెలుగు ಕನ್ನಡ മലയാളം സിംഹ", "සිංහල ශ්\u200Dරී ලංකා", "ภาษาไทยไม่มีวรรค ๑๒๓ กำ ไทย\u200Bไม่", "ພາສາລາວບໍ່ມີ", "ភាសាខ្មែរ មិនមាន ១២៣", "မြန်မာဘာသာ ကို",
	"བོད་སྐད་ཡིག།", "አማርኛ፡ቋንቋ።", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ\u180E\u180B", "中文分词 ok 字 abc中文def 葛\U000E0100城 〇一二 々々", "日本語のサーバーで、ﾃﾞｰﾀを ア・イ カタカナ漢字ひらがな お〜い 〆切 ｱｲｳ", "한국어 단어는 띄어쓰기가 있다 한글abc漢字", "ꦗꦮ ᬩᬮᬶ",
	"❤️ 1️⃣ 👩\u200D💻 👍🏽 🇩🇪🇫🇷 ok👍ok ✔ © ™ x² ½ Ⅳ ⅷ ⓐ ① ﾊﾟ", "ｆｕｌｌ　ｗｉｄｔｈ １２３ don＇t ａ．ｂ", "ʻokina Hawaiʻi ŋ ʼn Mapudungun ə̃ ˈstress",
	"--- ... ! '' \"\" '", "a\r\nb\n\nc\td\u00A0e\u2028f", "x\u0300\u0301\u0302 1\u03002 中\u0300 ア\u0300イ", "𝐛𝐨𝐥𝐝 𐐀𐐨 𓀀 𠀀𠀁 𗀀𗀁",
}

func TestWordsOfScripts(t *testing.T) {
	u := newUnicode29()
	for _, s := range scriptSamples {
		u.compare(t, s)
	}
	u.log(t)
}

// The official test of UAX 29 puts characters of all kinds two by two, with and without a mark between them. Here are
// all rows of three, of one character or more of each kind.
func TestWordsOfKinds(t *testing.T) { wordsOfKinds(t, "") }

// The same with a mark and with a soft hyphen behind the second.
func TestLongWordsOfKinds(t *testing.T) { wordsOfKinds(t, "\u0301", "\u00AD") }

func wordsOfKinds(t *testing.T, behind ...string) {
	kinds := []rune("\r\n a1.,:_'\"א中アあกе́\u0301\u00AD\u200D☎·ー３٫״가\u180E")
	u := newUnicode29()
	for _, a := range kinds {
		for _, b := range kinds {
			for _, c := range kinds {
				for _, between := range behind {
					u.compare(t, string(a)+string(b)+between+string(c))
				}
			}
		}
	}
	u.log(t)
}

// Characters alone and between letters, digits, marks and characters without spaces.
func TestWordsOfCharacters(t *testing.T) {
	wordsOfCharacters(t, func(r rune) bool { return r < 0x700 || r%13 == 0 })
}

// All the others that are assigned; of Han and Hangul some.
func TestLongWordsOfCharacters(t *testing.T) {
	wordsOfCharacters(t, func(r rune) bool { return r >= 0x700 && r%13 != 0 })
}

func wordsOfCharacters(t *testing.T, wanted func(r rune) bool) {
	u := newUnicode29()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Han, unicode.Hangul) && r%101 != 0 || !wanted(r) {
			continue
		}
		if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf, unicode.Cc) {
			s := string(r)
			u.compare(t, s+" a"+s+"a"+s+" 1"+s+"1 א"+s+"א 中"+s+"中 \u0301"+s+"\u0301b ."+s+".")
		}
	}
	u.log(t)
}

// Real pages: lists, newsletters and books of some forty languages.
func TestLongWordsOfPages(t *testing.T) {
	src, err := crawl.Open(filepath.Join(shareddata.Dir(t, "directory"), "pages.jsonl.gz"), crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	u, p := newUnicode29(), parser(t)
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			t.Fatal(err)
		}
		many := strings.Contains(page.URL, "free-programming-books")
		if rec.Pos.Record%97 != 0 && !many {
			continue
		}
		for line := range strings.Lines(string(p.HTML(page.HTML).Text)) {
			if !u.compare(t, strings.ToValidUTF8(line, "\uFFFD")) {
				t.Fatal(page.URL)
			}
		}
	}
	u.log(t)
}

func TestWordsOfAnything(t *testing.T) {
	u := newUnicode29()
	some := rapid.OneOf(rapid.SampledFrom([]rune(strings.Join(scriptSamples, ""))), rapid.RuneFrom(nil, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Cf))
	rapid.Check(t, func(t *rapid.T) { u.compare(t, rapid.StringOfN(some, 0, 30, -1).Draw(t, "text")) })
}
