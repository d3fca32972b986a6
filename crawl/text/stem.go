package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

// language is what a vocabulary does with the words of a language.
type language struct {
	stops    func() map[string]bool // folded
	list     func(word string) bool
	stem     func(word string, stemStopWords bool) string
	folds    *strings.Replacer
	particle func(r rune) bool
	latin    *language // English, if the language is not written in Latin letters; nil if it is
}

// languages holds all languages that a page may have, by name.
var languages = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	for _, t := range slices.Concat(worded, lettered) {
		l := &language{folds: folds[t.name], particle: particles[t.name]}
		if of, ok := stemmers[t.name]; ok {
			l.stem, l.list = of.stem, of.list
		}
		if suffixes, ok := lightly[t.name]; ok {
			l.stem = light(suffixes, leastStem)
			if t.name == "korean" { // a letter is a syllable
				l.stem = light(suffixes, 2)
			}
		}
		l.stops = sync.OnceValue(func() map[string]bool {
			stops := map[string]bool{}
			for w := range strings.FieldsSeq(t.words) {
				if t.name != "english" { // its list is longer
					stops[l.fold(w)] = true
				}
			}
			return stops
		})
		all[t.name] = l
		if !t.latin {
			l.latin = all["english"]
		}
	}
	return all
})

// languageNames are the names of all languages, sorted.
var languageNames = func() (names []string) {
	for _, t := range slices.Concat(worded, lettered) {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}()

// Languages returns the values of Analysis.Language other than Auto, sorted.
func Languages() []string { return slices.Clone(languageNames) }

// stemmers are the Snowball stemmers, some with a stop list.
var stemmers = map[string]struct {
	stem func(word string, stemStopWords bool) string
	list func(word string) bool
}{
	"english": {english.Stem, english.IsStopWord}, "french": {french.Stem, french.IsStopWord},
	"hungarian": {hungarian.Stem, hungarian.IsStopWord}, "norwegian": {norwegian.Stem, norwegian.IsStopWord},
	"russian": {russian.Stem, russian.IsStopWord}, "spanish": {spanish.Stem, spanish.IsStopWord},
	"swedish": {swedish.Stem, swedish.IsStopWord},

	"arabic": generated(arabic.Stem), "danish": generated(danish.Stem), "dutch": generated(dutch.Stem), "finnish": generated(finnish.Stem),
	"german": generated(german.Stem), "irish": generated(irish.Stem), "italian": generated(italian.Stem),
	"portuguese": generated(portuguese.Stem), "romanian": generated(romanian.Stem), "tamil": generated(tamil.Stem), "turkish": generated(turkishStem),
}

// generated returns a stemmer that the compiler of Snowball has made.
func generated(stem func(*snowballstem.Env) bool) (out struct {
	stem func(word string, stemStopWords bool) string
	list func(word string) bool
}) {
	out.stem = func(word string, _ bool) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	}
	return out
}

// turkishStem stems a word without the endings that an apostrophe parts from a name, and with i for ı, as which a
// capital I is read.
func turkishStem(env *snowballstem.Env) bool {
	name, _, _ := strings.Cut(env.Current(), "'")
	env.SetCurrent(name)
	turkish.Stem(env)
	env.SetCurrent(strings.ReplaceAll(env.Current(), "ı", "i"))
	return true
}

// lightly holds the endings that are cut off the words of languages for which there is no stemmer, the longest
// first. At least leastStem letters remain.
var lightly = map[string]string{
	"korean": "으로부터 에서는 에서의 으로는 이라고 라고 에서 에게 으로 까지 부터 보다 처럼 에는 와의 과의 은 는 이 가 을 를 에 의 로 와 과 도 만 하는 하여 하면 하고 하지 할 한 합니다 됩니다 되는 된 되어 됨 함 하려면 입니다 이며 이나 나 들을 들의 들이 들은 들",
	"greek":  "ματων ιουσ ιοσ ιασ ια ιο ματοσ ματα ουμε ουνται ονται εται εστε ετε ουσ ουν εισ εων ησεισ ησεων ιου ιων ιεσ ησ οσ ασ εσ ων ου οι ει ον ην αν η ο α ι ε υ ω",
}

const leastStem = 3

// light returns a stemmer that cuts off the first of some endings that a word has.
func light(endings string, least int) func(string, bool) string {
	all := strings.Fields(endings)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return func(word string, _ bool) string {
		for _, e := range all {
			if rest, ok := strings.CutSuffix(word, e); ok && utf8.RuneCountInString(rest) >= least {
				return rest
			}
		}
		return word
	}
}

// folds make one of the spellings that a language has for a word.
var folds = map[string]*strings.Replacer{
	"greek":   strings.NewReplacer("ς", "σ", "ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ό", "ο", "ύ", "υ", "ώ", "ω", "ϊ", "ι", "ϋ", "υ", "ΐ", "ι", "ΰ", "υ"),
	"russian": strings.NewReplacer("ё", "е"),
	"french":  strings.NewReplacer("œ", "oe", "æ", "ae"),
	// The stemmer knows the cedilla.
	"romanian": strings.NewReplacer("ș", "ş", "ț", "ţ"),
	"arabic":   strings.NewReplacer("أ", "ا", "إ", "ا", "آ", "ا", "ٱ", "ا", "ى", "ي", "ی", "ي", "ک", "ك"),
	"persian":  strings.NewReplacer("ي", "ی", "ى", "ی", "ك", "ک", "ة", "ه", "ۀ", "ه", "أ", "ا"),
	"urdu":     strings.NewReplacer("ي", "ی", "ى", "ی", "ك", "ک", "ه", "ہ", "ۃ", "ہ", "ة", "ہ"),
	// The tone of an open syllable may stand on either vowel.
	"vietnamese": strings.NewReplacer("oà", "òa", "oá", "óa", "oả", "ỏa", "oã", "õa", "oạ", "ọa", "oè", "òe", "oé", "óe", "oẻ", "ỏe", "oẽ", "õe", "oẹ", "ọe",
		"uỳ", "ùy", "uý", "úy", "uỷ", "ủy", "uỹ", "ũy", "uỵ", "ụy"),
}

// particles reports the characters of which no word consists in scripts without spaces: two of these, or one and its
// neighbour, are inflection or syntax. They are not terms.
var particles = map[string]func(r rune) bool{
	"japanese": func(r rune) bool { return unicode.Is(unicode.Hiragana, r) },
	"chinese": func(r rune) bool {
		return strings.ContainsRune("的了和是在将將与與或及您這这那你我他們们也就都而把被对對所其", r)
	},
}

// fold returns the form of a word that stands for its spellings.
func (l *language) fold(word string) string {
	if l.folds == nil {
		return word
	}
	return l.folds.Replace(word)
}

// stop reports whether a folded word is a stop word.
func (l *language) stop(word string) bool {
	return l.stops()[word] || l.list != nil && l.list(word) || l.particle != nil && strings.ContainsFunc(word, l.particle)
}

// stemmed returns the stem of a word, or the word itself if there is no stemmer or it panics.
func (l *language) stemmed(word string) (stem string) {
	if l.stem == nil {
		return word
	}
	defer func() {
		if recover() != nil {
			stem = word
		}
	}()
	return l.stem(word, true)
}
