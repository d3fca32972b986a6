package text

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// Auto is the value of Analysis.Language that stems the words of each page in the language of the page. It does not
// stem them if the language is unknown or has no stemmer.
const Auto = "auto"

// functionWords are the most frequent words of some languages, about the same number for each, so that the length of
// its list does not favour a language. Languages without a stemmer are included, to be recorded and not mistaken for
// others. Words of one Latin letter are left out because they number lists, and com, MIT and non because pages of all
// languages have them.
var functionWords = [...]struct{ language, code, words string }{
	{"english", "en", "the of and to in is that for it with as was on are be this by from or an at which have not you your can will has but we if their they more"},
	{"french", "fr", "le la les de des du et est un une dans pour que qui sur pas au par avec ce il ne se plus vous nous sont aux ou cette être leur mais votre"},
	{"spanish", "es", "el la los las de del en que es un una por con para se su al lo como más no sus este está son pero esta ser también cuando muy sin sobre"},
	{"russian", "ru", "и в не на что с по как это из для к от у за или при его то также но он вы может был все если более так мы они того быть только"},
	{"swedish", "sv", "och att det som en på är av för med den till inte har ett om från kan du eller var men vi de ska när så han alla efter även där här"},
	{"norwegian", "no nb nn", "og det som er på til av for med en at ikke har den et om fra kan du eller var men vi de skal når så han alle etter også der noen hvordan blir"},
	{"hungarian", "hu", "az és hogy is nem egy ez meg de ha csak már vagy van volt mint el még lehet minden ezt azt kell szerint után között amely annak nagyon pedig illetve"},
	{"german", "de", "der die das und ist von den zu nicht ein eine auf für im dem des sich als auch es an werden aus bei sind oder wird nach wie einen einer sie ich"},
	{"dutch", "nl", "de het een en van is in op te dat voor met zijn niet aan er om ook als maar bij of uit door naar over wordt worden deze kan dit meer geen wij"},
	{"danish", "da", "og det som er på til af for med en at ikke har den et om fra kan du eller var men vi de skal når så han alle efter også der nogle hvordan bliver"},
	{"portuguese", "pt", "os as de da do dos das em que um uma por para se na no nas nos ao mais não são você ou como seu sua também foi está pelo ser muito"},
	{"italian", "it", "il lo la gli le di del della in che un una per con si da al dei nel alla sono più come anche questo delle ha ma essere dal nella"},
	{"romanian", "ro", "și de la în cu pe un este că din pentru nu se care mai sau sunt prin al fi ale după acest această fost dar dacă până lui va cele"},
	{"polish", "pl", "na do że się nie jest to jak po od za przez dla są oraz lub być może tym ich które który było tylko już ma także przy"},
	{"czech", "cs", "na je se že do to jako pro po by při jsou nebo také byl jeho ale jak od za které který může tak být nebo již podle"},
	{"turkish", "tr", "ve bir bu için ile da de olarak daha olan çok gibi en ne var sonra kadar değil ya her veya ise tarafından ancak olduğu ama göre içinde ki mi şekilde"},
	{"finnish", "fi", "ja on ei se että oli hän ovat mutta kun tai joka myös ole sekä niin jos mukaan sen voi kuin ne tämä vain jotka nyt mitä olla kanssa tämän"},
	{"indonesian", "id ms", "yang dan di dengan untuk dari ini itu pada dalam tidak akan adalah ke atau oleh juga dapat sebagai karena ada lebih anda bisa saat telah tersebut kami"},
	{"ukrainian", "uk", "і в не на що з по як це із для до від у за або при його та також але він ви може був все якщо більш так ми вони цього бути є"},
	{"bulgarian", "bg", "и в не на че с по като това от за да се към или при също но той са може е беше всички ако така ние те бъде само който което"},
	{"arabic", "ar", "في من على أن إلى التي عن مع هذا هذه الذي كان لا ما أو كل بعد قد بين ذلك هو هي غير كما حيث لم إن عند"},
	{"persian", "fa", "در و به از که این را با است برای آن یک خود تا کرد بر هم نیز شده می شود باید یا اما هر بود کند های"},
	{"catalan", "ca", "que el la els les de del en un una amb és més són però aquest aquesta també pel dels als ser fins molt aquests quan"},
	{"estonian", "et", "ja on ei et see oli ka kui mis ning või aga selle kes oma nii ta mida üks siis veel seda ole kuid saab peab pärast juba välja kõik"},
	{"latvian", "lv", "un ir ar uz par kas ka tas tika arī bet vai kā pie pēc līdz var nav šo tiek lai būt viņa savu gan jau kur šis visi"},
	{"lithuanian", "lt", "ir yra į iš kad su tai buvo kaip bet ar už apie prie tik jau taip pat arba po nuo iki kai kuris gali savo jo bus dėl jos"},
	{"slovak", "sk", "na je sa že do to ako pre po by pri sú aj bol jeho ale od za ktorý môže tak byť alebo už podľa nie ktoré čo sme tým"},
	{"slovenian", "sl", "in je na se za da so pa ki ne bi tudi kot ali iz pri po še bil kar lahko od do ob ima tega samo jih"},
	{"croatian", "hr bs sr sh", "je na se da su od za to koji kao što ili ne ima iz nije bi samo te po biti ali ako koja kada prije više kako može sam"},
	{"serbian", "sr", "је на се да су од за то који као што или не има из није би само те по бити али ако која када пре више како може сам"},
	{"vietnamese", "vi", "và của là có cho không được các một trong với những này người khi đã để từ đến về như tôi bạn cũng theo tại hay nhiều ra"},
	{"hindi", "hi", "के है में की और से को का यह हैं पर इस कि एक नहीं लिए भी कर ने या हो था तो जो ही गया कुछ अपने साथ"},
	{"azerbaijani", "az", "və bir bu üçün ilə də olan olaraq daha çox kimi ya hər ən sonra qədər necə nə var isə haqqında bilər onun hansı ki edir"},
	{"urdu", "ur", "کے ہے میں کی اور سے کو کا یہ ہیں پر اس کہ ایک نہیں لیے بھی نے یا ہو تھا جو تو گیا اپنے ساتھ کر"},
}

// functions is a hash table of the function words by their keys, with open addressing and at most half full. It is
// small enough to stay in a cache.
var functions = func() (t functionTable) {
	t.masks = []uint64{0}
	for i, l := range functionWords {
		for w := range strings.FieldsSeq(l.words) {
			at := t.place(hashWord([]byte(w)))
			if t.keys[at] == 0 {
				t.keys[at], t.numbers[at] = hashWord([]byte(w)), uint16(len(t.masks))
				t.add(t.keys[at])
				t.masks = append(t.masks, 0)
			}
			t.masks[t.numbers[at]] |= 1 << i
		}
	}
	return t
}()

type functionTable struct {
	keys    [2 * maxFunctionWords]uint64 // 0 if empty
	numbers [2 * maxFunctionWords]uint16 // of the words, beginning with 1
	masks   []uint64                     // by number, the languages that have the word: bit i for functionWords[i]
	filter  [256]uint64                  // a bit for each hash of 14 bits that a key has
}

// add and may are the filter: may reports whether a key can be in the table. It rules out 19 of 20 other words.
func (t *functionTable) add(key uint64)      { t.filter[key>>56] |= 1 << (key >> 50 & 63) }
func (t *functionTable) may(key uint64) bool { return t.filter[key>>56]>>(key>>50&63)&1 != 0 }

// place returns the place of a key, or the empty place where it belongs.
func (t *functionTable) place(key uint64) uint64 {
	at := key % uint64(len(t.keys))
	for t.keys[at] != key && t.keys[at] != 0 {
		at = (at + 1) % uint64(len(t.keys))
	}
	return at
}

// guesser counts the function words of one page.
type guesser struct {
	words  int
	seen   [maxFunctionWords]bool // by number, whether the page has the word
	found  []uint16               // the numbers of the words that the page has
	hinted string                 // language tag of <html lang>
}

// maxFunctionWords is an upper bound of the number of function words of all languages.
const maxFunctionWords = 1024

// add counts words by their keys.
func (g *guesser) add(words []Word) {
	for i := range words {
		g.meet(uint64(words[i].Term))
	}
}

// meet counts a word by its key, unless that is 0.
func (g *guesser) meet(key uint64) {
	if key == 0 {
		return
	}
	if g.words++; functions.may(key) {
		g.look(key)
	}
}

// look notes the word with a key if it is a function word.
func (g *guesser) look(key uint64) {
	keys := &functions.keys
	at := key % uint64(len(keys))
	for keys[at] != key && keys[at] != 0 {
		at = (at + 1) % uint64(len(keys))
	}
	if keys[at] == key && !g.seen[functions.numbers[at]] {
		g.see(functions.numbers[at])
	}
}

// see notes that the page has the function word with a number.
func (g *guesser) see(n uint16) { g.seen[n], g.found = true, append(g.found, n) }

// reset forgets the page.
func (g *guesser) reset() { *g = guesser{found: g.found[:0]} }

// A page has a guessed language if it has guessWords distinct function words of it, and one for each guessShare words
// but no more than guessEnough, and if the language is ahead of each other one by at least one word and by a quarter,
// not counting words that both have. A word counts once, because the name of a tool that a page repeats ("az", "jest")
// may be a function word of some language.
//
// If the page claims a language, that language needs only one word, and no other language may be ahead of it.
const (
	guessWords  = 2
	guessShare  = 100
	guessEnough = 6
	guessAhead  = 1.25
)

// language returns the name of the probable language of a page, or "" if it is unknown. If most letters belong to a
// script of one language, the letters decide; otherwise the words do. If they do not either and the text is mostly
// ASCII, the letters decide after all.
func (g *guesser) language(text []byte) string {
	foreign := mostlyForeign(text)
	if foreign {
		if l := byScript(text); l != "" {
			return l
		}
	}
	if i := g.byWords(); i >= 0 {
		return functionWords[i].language
	}
	if foreign {
		return ""
	}
	return byScript(text)
}

// byWords returns the number of the language that the function words show, or -1 if they show none.
func (g *guesser) byWords() int {
	var count [len(functionWords)]int
	for _, n := range g.found {
		for mask := functions.masks[n]; mask != 0; mask &= mask - 1 {
			count[bits.TrailingZeros64(mask)]++
		}
	}
	best := 0
	for i, n := range count {
		if n > 0 && hinted(functionWords[i].code, g.hinted) && g.ahead(i, &count, 0, 1) {
			return i
		}
		if n > count[best] {
			best = i
		}
	}
	if count[best] < max(guessWords, min(guessEnough, g.words/guessShare)) || !g.ahead(best, &count, 1, guessAhead) {
		return -1
	}
	return best
}

// ahead reports whether a language has more words than every other language by the given number and factor, not
// counting words that both have.
func (g *guesser) ahead(best int, count *[len(functionWords)]int, words int, times float64) bool {
	var both [len(functionWords)]int
	for _, n := range g.found {
		if mask := functions.masks[n]; mask>>best&1 != 0 {
			for ; mask != 0; mask &= mask - 1 {
				both[bits.TrailingZeros64(mask)]++
			}
		}
	}
	for i := range both {
		own, other := count[best]-both[i], count[i]-both[i]
		if i != best && (own < words || float64(own) < times*float64(other)) {
			return false
		}
	}
	return true
}

// hinted reports whether a language tag such as "en-GB" begins with one of the codes.
func hinted(codes, tag string) bool {
	tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	return tag != "" && slices.Contains(strings.Fields(codes), tag)
}

// LanguageNumber returns the number of a language that Doc.Language may name, and 0 for "". Tables store these numbers,
// so append new languages to the ends of their lists, and then give the tables of runs a new version.
func LanguageNumber(name string) uint8 {
	for i := range functionWords {
		if functionWords[i].language == name {
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
	case n > 0 && int(n) <= len(functionWords):
		return functionWords[n-1].language
	case n >= 128 && int(n)-128 < len(scripts):
		return scripts[n-128].language
	}
	return ""
}

// scriptSample is the number of bytes of a page that byScript reads.
const scriptSample = 16 << 10

// scripts holds the scripts that are mostly used for one language. Kana come before Han, because Japanese has both.
var scripts = [...]struct {
	language string
	share    int // the least percentage of all letters that shows the language
	script   *unicode.RangeTable
}{
	{"japanese", 10, unicode.Hiragana}, {"japanese", 20, unicode.Katakana}, {"chinese", 50, unicode.Han}, {"korean", 50, unicode.Hangul},
	{"greek", 50, unicode.Greek}, {"hebrew", 50, unicode.Hebrew}, {"thai", 50, unicode.Thai}, {"armenian", 50, unicode.Armenian},
	{"georgian", 50, unicode.Georgian}, {"tamil", 50, unicode.Tamil}, {"bengali", 50, unicode.Bengali},
	{"telugu", 50, unicode.Telugu}, {"kannada", 50, unicode.Kannada}, {"malayalam", 50, unicode.Malayalam}, {"gujarati", 50, unicode.Gujarati},
	{"punjabi", 50, unicode.Gurmukhi}, {"sinhala", 50, unicode.Sinhala}, {"khmer", 50, unicode.Khmer}, {"lao", 50, unicode.Lao},
	{"burmese", 50, unicode.Myanmar}, {"amharic", 50, unicode.Ethiopic},
}

// mostlyForeign reports whether a page has enough bytes beyond ASCII to examine its letters.
func mostlyForeign(text []byte) bool {
	text = text[:min(len(text), scriptSample)]
	n := 0
	for i := 0; i < len(text); i += 8 {
		n += bits.OnesCount64(load(text, i) & highBits)
	}
	return 4*n > len(text)
}

// byScript returns the language that the letters show, or "" if they belong to several languages.
func byScript(text []byte) string {
	var n [len(scripts)]int
	letters := 0
	for _, r := range string(text[:min(len(text), scriptSample)]) {
		if r < 0x370 {
			if r >= 'A' && unicode.IsLetter(r) {
				letters++
			}
			continue
		}
		if !unicode.IsLetter(r) {
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
		if n[i] > 0 && 100*n[i] >= s.share*letters {
			return s.language
		}
	}
	return ""
}

// language returns the probable language of a page with the given text, whose words the guesser has met, or "" if the
// parser does not guess.
func (p *Parser) language(text []byte) string {
	switch {
	case !p.Guessing && (p.Vocabulary == nil || !p.Vocabulary.auto):
		return ""
	case p.Language != "":
		return p.Language
	}
	p.guess.hinted = p.doc.Meta.Lang
	return p.guess.language(text)
}

// settle finds the probable language of a page and replaces the keys of its words by terms in that language, or removes
// them if there is no vocabulary.
func (p *Parser) settle() {
	v := p.Vocabulary
	if p.Language == "" && (p.Guessing || v != nil && v.auto) {
		p.guess.add(p.doc.Words)
	}
	p.doc.Language = p.language(p.doc.Text)
	if v == nil {
		withoutTerms(p.doc.Words)
		return
	}
	v.settle(p.doc.Language, p.doc.Words, p.doc.Text)
}

// withoutTerms removes the keys of words.
func withoutTerms(words []Word) {
	for i := range words {
		words[i].Term = 0
	}
}
