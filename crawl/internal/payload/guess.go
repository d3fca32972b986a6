package payload

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// The guess of a charset is the most probable of some candidates, each a charset and a language that is written in it. A
// language is a string of its letters, the most frequent one first, and the probability of a letter follows from its
// rank. Only words with a byte above 127 count, because the others are often markup or English.
const (
	guessSample = 8 << 10 // bytes of such words that are examined
	guessScan   = 1 << 20 // bytes of the page in which they are searched

	// Logarithms of probabilities.
	firstLetter = -2.2  // of the most frequent letter of an alphabet
	nextLetter  = -0.12 // in addition for each rank
	firstSign   = -3.5  // of the most frequent character of Chinese, Japanese and Korean
	nextSign    = -0.036
	otherSign   = -9.5
	rareSign    = -13.0
	otherLetter = -11.0
	punctuation = -6.0
	symbol      = -9.0
	foreign     = -5.0 // of a character of ASCII next to such characters
	undefined   = -18.0
)

// candidate is a charset with a language.
type candidate struct {
	name   string
	enc    encoding.Encoding
	prior  float64
	single *[256]letter     // of a charset of single bytes
	signs  map[rune]float64 // of the others
}

// letter is what a byte means.
type letter struct {
	score float64
	kind  letterKind
}

type letterKind uint8

// capital is added for a capital letter, by what precedes it.
var capital = [...]float64{noLetter: -1.5, small: -5, big: -0.2}

const (
	noLetter letterKind = iota
	small
	big
)

var candidates = sync.OnceValue(func() (all []candidate) {
	for _, s := range scripts {
		for i, name := range strings.Fields(s.charsets) {
			enc, name := lookup(name)
			for _, letters := range s.languages {
				c := candidate{name: name, enc: enc, prior: s.prior - float64(i)}
				if s.wide {
					c.signs = ranked(letters, firstSign, nextSign)
				} else {
					c.single = lettersOf(enc, letters)
				}
				all = append(all, c)
			}
		}
	}
	return all
})

// lettersOf returns the letters that the bytes of a charset mean in a language.
func lettersOf(enc encoding.Encoding, letters string) *[256]letter {
	rank := ranked(letters, firstLetter, nextLetter)
	table := new([256]letter)
	for b := range table {
		decoded, _ := enc.NewDecoder().Bytes([]byte{byte(b)})
		c, _ := utf8.DecodeRune(decoded)
		known, ok := rank[unicode.ToLower(c)]
		l := &table[b]
		switch {
		case unicode.IsUpper(c):
			l.kind, l.score = big, otherLetter
			if ok {
				l.score = known
			}
		case ok:
			l.kind, l.score = small, known
		case unicode.IsLetter(c):
			l.kind, l.score = small, otherLetter
		case c == utf8.RuneError || c < ' ' || c >= 0x7f && c < 0xa0:
			l.score = undefined
		case unicode.Is(unicode.Mn, c), strings.ContainsRune("\u00a0\u00ad\u200c\u200d–—‘’‚“”„«»…•·©®™§°№", c):
			l.score = punctuation
		default:
			l.score = symbol
		}
	}
	return table
}

// ranked returns the logarithms of the probabilities of letters, the most frequent one first.
func ranked(letters string, first, next float64) map[rune]float64 {
	rank := map[rune]float64{}
	for _, c := range letters {
		rank[c] = first + next*float64(len(rank))
	}
	return rank
}

// guess returns the probable charset of text that is not declared and not valid UTF-8.
func guess(b []byte) (encoding.Encoding, string) {
	if isEscapedCharset(b) {
		return charset.Lookup("iso-2022-jp")
	}
	b = b[:min(len(b), guessScan)]
	if mostlyUTF8(b) {
		return nil, "utf-8"
	}
	sample := foreignWords(b)
	best := candidate{name: "windows-1252"}
	best.enc, _ = charset.Lookup(best.name)
	most := 0.0
	for i, c := range candidates() {
		score := c.prior
		if c.single != nil {
			score += scoreLetters(c.single, sample)
		} else {
			score += scoreSigns(&c, sample)
		}
		if i == 0 || score > most {
			best, most = c, score
		}
	}
	return best.enc, best.name
}

// countUTF8 counts the characters of UTF-8 outside ASCII, and the bytes that are not UTF-8.
func countUTF8(b []byte) (right, wrong int) {
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		switch {
		case c == utf8.RuneError && size == 1:
			wrong++
		case size > 1:
			right++
		}
		b = b[size:]
	}
	return right, wrong
}

// mostlyUTF8 reports whether text is UTF-8 with a few damaged characters.
func mostlyUTF8(b []byte) bool {
	right, wrong := countUTF8(b)
	return right >= 10*wrong || right >= 3 && wrong == 1
}

// deniesUTF8 reports whether a page cannot be meant as UTF-8.
func deniesUTF8(b []byte) bool {
	right, wrong := countUTF8(b[:min(len(b), guessScan)])
	return wrong >= 8 && wrong > 4*right
}

// foreignWords returns the words with bytes above 127, each followed by a space. The byte after such a byte may be the
// second one of a character even if it is a punctuation mark in ASCII.
func foreignWords(b []byte) (out []byte) {
	for at := 0; len(out) < guessSample; {
		i := bytes.IndexFunc(b[at:], func(c rune) bool { return c >= utf8.RuneSelf })
		if i < 0 {
			break
		}
		from, to := at+i, at+i
		for from > at && isASCIILetter(b[from-1]) {
			from--
		}
		for to < len(b) && (b[to] >= utf8.RuneSelf || isASCIILetter(b[to]) || b[to] >= '@' && b[to-1] >= utf8.RuneSelf) {
			to++
		}
		out = append(append(out, b[from:min(to, from+guessSample)]...), ' ')
		at = to
	}
	return out
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func scoreLetters(table *[256]letter, sample []byte) (score float64) {
	before := noLetter
	for _, b := range sample {
		l := &table[b]
		if b >= utf8.RuneSelf || l.kind != noLetter {
			score += l.score
		}
		if l.kind == big {
			score += capital[before]
		}
		before = l.kind
	}
	return score
}

func scoreSigns(c *candidate, sample []byte) (score float64) {
	decoded, err := c.enc.NewDecoder().Bytes(sample)
	if err != nil {
		return undefined * float64(len(sample))
	}
	for _, r := range string(decoded) {
		known, ok := c.signs[r]
		switch {
		case r <= ' ':
		case r < utf8.RuneSelf:
			score += foreign
		case ok:
			score += known
		case r == utf8.RuneError || unicode.Is(unicode.Co, r):
			score += undefined
		case r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff60:
			score += punctuation + 1
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) && r < 0xff60:
			score += otherSign
		default:
			score += rareSign
		}
	}
	return score
}

// scripts are the charsets that pages use without declaring them, the most usual first, and the letters of languages
// that are written in them by frequency in words with a letter outside ASCII.
var scripts = []struct {
	charsets  string
	prior     float64
	wide      bool
	languages []string
}{
	{"windows-1252", 3, false, []string{
		"éetisrncaoldumpèàfêgvbhqzîyûjüçkåïô", // fr
		"engtshrüliuäcfzadöwkbmoßvp",          // de
		"aenicsortdlóámgíúñpvubéxfqyzhkå",     // es
		"oeinsarãtçdálmcpvuõgéíúfêhbxóºqjâàz", // pt
		"iseanctrldouàóméèpvígxïbçúòfqühjkåz", // ca
		"eiaonrtlsdùcàèpumvìòghfbzéq",         // it
		"ertgëïnéidlopaöüvsè",                 // nl
		"rnäeltsdaögfåivokmhbjpuyxwc",         // sv
		"erænvdåisgltømkfpojahbuéy",           // da
		"ätiesynlkmphvörojaudgbšåf",           // fi
		"aðrilstnekuígmþávóúoföyjdbæphéýx",    // is
	}},
	{"windows-1250 iso-8859-2", 0, false, []string{
		"aioewnsztrkyłpcżędąśćulmójhgbńfź",        // pl
		"neotaílpvsmárdkiužězyécbčšřýjhůúfgňďó",   // cs
		"naoetisrvápdkmluyízžcbčťéýšhújľófňgôďäx", // sk
		"etlsázaérknimovójdbgöőhíyupfüúcű",        // hu
		"eiaonršktsčjvužpdlćmzgđhbc",              // hr
		"aiečnoštrvlpksmujžzbgdhcf",               // sl
		"iaăenrtcuţosldpmgşîzvâfbhxk",             // ro
	}},
	{"windows-1251 koi8-r iso-8859-5 ibm866", 0, false, []string{
		"еоаитнслврдпмкьуыйбзячжгцшюфэхщъё", // ru
		"аеитонрсвлдпкмзбъяучгйцжшфщхюμ",    // bg
		"аиеонтрсдквлпмзјбугшцчжфњќхѓѓџљѕ",  // mk
	}},
	{"windows-1251 koi8-u iso-8859-5", 0, false, []string{
		"аонеитіврслкдмупьязбйгчцжєшхщфюї",  // uk
		"аніелыскряпдтцьзмвоубэўчгшйхюжёфґ", // be
	}},
	{"windows-1253 iso-8859-7", 0, false, []string{
		"αετιονρσμπκηλίυςέάδγήόχθωύφβώξζψo", // el
	}},
	{"windows-1254", 0, false, []string{
		"ieanlırdtçüskmğşyuozbgöcpfhv\u0307", // tr
	}},
	{"windows-1255", 0, false, []string{
		"יותהלארשמנבחסדםקעפכןטגזצךףץ", // he
	}},
	{"windows-1256 iso-8859-6", 0, false, []string{
		"اليمترنوةدحأعبقسكفهجخصإذىطغثئضزشءآظـؤةًّ", // ar
		"ایردنتهموبسشلکفزخعقحگجطصذپژآغچضثئءظأ",     // fa
	}},
	{"windows-1257", 0, false, []string{
		"iatsenkrųlošumdpžėjįąvūbgčyęczf",  // lt
		"atiseārīnmuēdojlvkpzšbgūcņļfžķģč", // lv
		"aäestivlõnurkdmühpjgoböžšf",       // et
	}},
	{"windows-1258", -2, false, []string{
		"nha\u0301t\u0323icg\u0309\u0300ưêđuôoâơmy\u0303klpbăsrvdxeq", // vi
	}},
	{"windows-874", 0, false, []string{
		"านอกเรมลงหยดทสวบคไตปใจแะชผขพถำณซโธฟญภศฤษฮฎฝฐๆ", // th
	}},
	{"shift_jis euc-jp", 0, true, []string{
		"ーしのまをントすはでスいてさルドたれなにクイがくりリッるんせア語だパフジワタかこあブテ数ラレ入力選択メプィグと変ェけらセペ字き値よデ更オシュ正用も除効ロキマ削サ認コう以ば文ザムっ時間ァウ定ユ存ビダ使理つ下日エ追加ニ合必要個可関連有名ョ無モ確保そ能カ整小設め一番管作在バベ分前ど場度", // ja
	}},
	{"gbk", 0, true, []string{
		"的个有一是字用码语选密不数在你对入除该输以可请删象值确能了日或效符文您点模存保置择所面加中下这器重改过为到站没型修页户时被尔亚期包成要应已含于名使如查方表何误它段件行格类提据错作和关认前间果新未必正项看次板无法分库号地列将其串多功需设进相权管理滤档系尼证址变问头此式定单空须两", // zh_Hans
	}},
	{"big5", 0, true, []string{
		"的語個碼是選用請密入有不件字輸數確或值一除時在已為可這新能位間你存日效修刪改亞重要期認型定面文物模被關包含名空作使成內小過前於正類未設器多取以項欄爾表稱頁對沒資行擇到理您無誤尼大全網號相本必中功下證如動法格式容列保進電否此站求出編須上管其按者了分主與拉斯西子地址目串線來將次單但何訊應點增後輯更戶視所", // zh_Hant
	}},
	{"euc-kr", 0, true, []string{
		"다이니하습어를지가시을자요번비입세수의는해호에아리합밀스한로기사인제력용없은선트값택일되정서있않주필터할대보관개바페확된삭나드문오야르경간브고크올모른형식플유도전들화었션메체만장그성변라여날짜위우저으템계마상설효함파소려적열타음거재연토키와면러중데당신추초릿존닙알포네록숫능래태표과목베반새부또결최작", // ko
	}},
}
