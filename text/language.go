package text

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// Auto is the Analysis.Language for which every page is stemmed in the language that it seems to be in, and not at all
// where that is not known or has no stemmer.
const Auto = "auto"

// functionWords are the commonest words of some languages, about as many of each, so that no language is guessed for the
// length of its list. Languages without a stemmer are here to be told from those that have one. Words of one Latin letter
// are not here: they are the numbering of lists; nor are com, MIT and non, which pages of all languages have.
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
}

// guessUnit is the weight of a word of one language alone; one of n languages has an n-th of it, rounded down.
const guessUnit = 2520 // divisible by 1 to 10

// functionMasks maps the hash of a function word to the set of languages that have it: bit i is functionWords[i].
var functionMasks = func() map[uint64]uint32 {
	masks := map[uint64]uint32{}
	for i, l := range functionWords {
		for w := range strings.FieldsSeq(l.words) {
			masks[hashWord([]byte(w))] |= 1 << i
		}
	}
	return masks
}()

// guesser weighs the function words of one page.
type guesser struct {
	words  int
	score  [len(functionWords)]int
	hinted string // language tag of <html lang>
}

func (g *guesser) add(mask uint32) {
	g.words++
	if mask == 0 {
		return
	}
	weight := guessUnit / bits.OnesCount32(mask)
	for ; mask != 0; mask &= mask - 1 {
		g.score[bits.TrailingZeros32(mask)] += weight
	}
}

// What a guess needs, in words of one language alone: so many, and one in so many of all words; fewer where they stand
// close, and one where the page itself claims that language. It must be ahead of the next language by a quarter.
const (
	guessWords = 3
	guessShare = 50
	closeWords = 2
	closeShare = 10
	guessAhead = 1.25
)

// language is the name of the language that a page seems to be in, "" if that cannot be told.
func (g *guesser) language(text []byte) string {
	best, next := -1, 0
	for i, s := range g.score {
		switch {
		case best < 0 || s > g.score[best]:
			if best >= 0 {
				next = g.score[best]
			}
			best = i
		case s > next:
			next = s
		}
	}
	need := max(min(guessWords*guessUnit, max(closeWords*guessUnit, g.words*guessUnit/closeShare)), g.words*guessUnit/guessShare)
	if hinted(functionWords[best].code, g.hinted) {
		need = max(guessUnit, g.words*guessUnit/guessShare/2)
	}
	if s := g.score[best]; s >= need && float64(s) >= guessAhead*float64(next) {
		return functionWords[best].language
	}
	return byScript(text)
}

// hinted tells whether a language tag such as "en-GB" begins with one of some codes.
func hinted(codes, tag string) bool {
	tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	return tag != "" && slices.Contains(strings.Fields(codes), tag)
}

// LanguageNumber is the number of a language that Doc.Language may name, 0 for "". Numbers stand in tables: languages of
// new function words or scripts go to the ends of their lists, and then tables of runs have a new version.
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

// LanguageName is the language of a number, "" for 0 and for what is none.
func LanguageName(n uint8) string {
	switch {
	case n > 0 && int(n) <= len(functionWords):
		return functionWords[n-1].language
	case n >= 128 && int(n)-128 < len(scripts):
		return scripts[n-128].language
	}
	return ""
}

// scriptSample is the number of bytes of a page that byScript looks at.
const scriptSample = 16 << 10

// scripts of which one language is much the commonest. Kana stand before Han: Japanese has both.
var scripts = [...]struct {
	language string
	share    int // of all letters, in percent, from which on it is this language
	script   *unicode.RangeTable
}{
	{"japanese", 10, unicode.Hiragana}, {"japanese", 20, unicode.Katakana}, {"chinese", 50, unicode.Han}, {"korean", 50, unicode.Hangul},
	{"greek", 50, unicode.Greek}, {"hebrew", 50, unicode.Hebrew}, {"thai", 50, unicode.Thai}, {"armenian", 50, unicode.Armenian},
	{"georgian", 50, unicode.Georgian}, {"tamil", 50, unicode.Tamil}, {"bengali", 50, unicode.Bengali},
}

// byScript is the language that the letters tell, "" if they are of many languages.
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

// settle makes terms of the keys of a page that is read, in the language that it is guessed to be in.
func (p *Parser) settle() {
	v := p.Vocabulary
	if v.auto {
		p.guess.hinted = p.doc.Meta.Lang
		v.weigh(p.doc.Words, p.doc.Text, &p.guess)
		p.doc.Language = p.guess.language(p.doc.Text)
	}
	v.settle(p.doc.Language, p.doc.Words, p.doc.Text)
}
