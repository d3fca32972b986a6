package text

import (
	"strings"
	"testing"
)

// Forms of a word have one term in its language.
func TestStems(t *testing.T) {
	for _, c := range []struct{ language, words string }{
		{"english", "databases database"},
		{"french", "nationales nationale"}, //nolint:misspell // French
		{"spanish", "canciones canción"},
		{"russian", "файлами файлы"},
		{"russian", "самолёт самолета"},
		{"swedish", "databaserna databaser"},
		{"norwegian", "husene hus"},
		{"hungarian", "házak házat"},
		{"german", "Häusern Hauses häuser"},
		{"dutch", "bestanden bestand"},
		{"danish", "filerne filer"},
		{"portuguese", "quilométricas quilométrico"},
		{"italian", "abbandonata abbandonato"},
		{"romanian", "calculatoarele calculatoare"}, //nolint:misspell // Romanian
		{"finnish", "taloissa talossa"},
		{"turkish", "kitaplar kitaplarda kitap"},
		{"turkish", "İzmir'de İzmir'e izmir"},
		{"turkish", "ışık IŞIK"},
		{"romanian", "ştiinţa știința"}, {"french", "œuvre oeuvres"}, {"vietnamese", "xoá xóa"}, {"vietnamese", "huỷ hủy"},
		{"persian", "كتاب کتاب"}, {"persian", "علي علی"}, {"arabic", "أحمد احمد"}, {"urdu", "ہفتہ هفته"},
		{"irish", "chathair cathair"},
		{"arabic", "الكتاب كتاب للكتاب"},
		{"tamil", "வீடு வீடுகள் வீட்டில்"},
		{"greek", "αρχεία αρχείο αρχείων αρχείου"},
		{"greek", "έγγραφο εγγράφου έγγραφα"},
		{"korean", "문서를 문서에 문서는 문서"},
		{"japanese", "databases database"}, // Latin letters in another script are English
		{"greek", "folders folder"},
	} {
		v := auto(t).Vocabulary
		first := v.TermIn(c.language, nil)
		for i, w := range strings.Fields(c.words) {
			term := v.TermIn(c.language, v.lower([]byte(w)))
			if i == 0 {
				first = term
			}
			if term == 0 || term != first {
				t.Errorf("%s: %s has another term than the words before it of %s", c.language, w, c.words)
			}
		}
	}
}

// The function words of a language are its stop words, in any case.
func TestStopWords(t *testing.T) {
	v := auto(t).Vocabulary
	for language, words := range map[string]string{
		"german": "und Von DER", "greek": "και Για σε της", "turkish": "için ve", "vietnamese": "và các", "japanese": "です 入す the", "chinese": "的文", "korean": "및 또는",
		"danish": "og det", "ukrainian": "і щоб", "arabic": "في من", "hebrew": "של את", "hindi": "के है", "thai": "ที่", "afrikaans": "hierdie",
	} {
		for w := range strings.FieldsSeq(words) {
			low := v.lower([]byte(w))
			if v.TermIn(language, low) != 0 {
				t.Errorf("%s: %q is not a stop word", language, w)
			}
			if v.TermIn("", low) == 0 {
				t.Errorf("%q is a stop word in an unknown language", w)
			}
		}
	}
}

// Several languages: a page is in the one that it shows, or in the first.
func TestSeveralLanguages(t *testing.T) {
	v, err := NewVocabulary(Analysis{Language: "spanish,english", Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	p := &Parser{Vocabulary: v}
	for page, want := range map[string]string{
		"<p>The server writes its log files to a folder that is named in the configuration.":        "english",
		"<p>El servidor escribe sus registros en una carpeta que se indica en la configuración.":    "spanish",
		"<p>Der Server schreibt seine Protokolle in einen Ordner, der bei den Einstellungen steht.": "spanish",
		"<p>apt-get install nginx": "spanish", "<p>服务器将日志写入配置中指定的文件夹": "spanish",
	} {
		if got := p.HTML([]byte(page)).Language; got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	for _, wrong := range []string{"klingon", "spanish,klingon", "auto,english", "spanish,", ""} {
		if _, err := NewVocabulary(Analysis{Language: wrong, Stop: "none"}); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

// A page in two languages is in the one that it has more of, and each block is stemmed and stopped in its own.
func TestPassages(t *testing.T) {
	p := auto(t)
	d := p.HTML([]byte("<p>El servidor escribe sus registros en una carpeta que se indica en la configuración, y los borra después de una semana con las copias." +
		"<p>The server writes its databases to the folder that is named in the configuration, and the files were copied."))
	if d.Language != "spanish" {
		t.Fatal(d.Language)
	}
	terms := map[string]bool{}
	for _, w := range d.Words {
		terms[string(d.Text[w.From:w.To])] = w.Term != 0
		if string(d.Text[w.From:w.To]) == "databases" && w.Term != p.Vocabulary.TermIn("english", []byte("database")) {
			t.Error("databases is not stemmed in English")
		}
	}
	if terms["los"] || terms["the"] || !terms["semana"] {
		t.Error(terms)
	}
}

// An English line on a page in another language is English, however short it is.
func TestEnglishFooter(t *testing.T) {
	p := auto(t)
	german := "Der Server schreibt seine Protokolle in einen Ordner, der bei den Einstellungen steht, und löscht sie nach einer Woche. "
	d := p.HTML([]byte("<p>" + strings.Repeat(german, 20) + "<p>This page is: <a href=/x>folders</a>"))
	last := d.Words[len(d.Words)-4:]
	if d.Language != "german" || last[0].Term != 0 || last[2].Term != 0 || last[3].Term != p.Vocabulary.TermIn("english", []byte("folder")) {
		t.Errorf("%s: %v", d.Language, last)
	}
}

// The title and the body of a page that is half translated are stemmed in their own languages.
func TestTitleInAnotherLanguage(t *testing.T) {
	english := "The server writes its databases to the folder that is named in the configuration, and the files were copied. "
	for _, c := range []struct{ tag, title, stop, language, word, same string }{
		{"es", "Administración de los servidores", "los", "spanish", "servidores", "servidor"},
		{"ru", "Настройка серверов", "", "russian", "серверов", "сервера"},
		{"ko", "서버에서", "", "korean", "서버에서", "서버"},
		{"el", "Ρύθμιση του διακομιστή", "του", "greek", "διακομιστή", "διακομιστής"},
	} {
		p := auto(t)
		d := p.HTML([]byte("<html lang=" + c.tag + "><title>" + c.title + "</title><p>" + strings.Repeat(english, 3)))
		if d.Words[1].Term != p.Vocabulary.TermIn("english", []byte("servers")) {
			t.Errorf("%s: the body is not English", c.tag)
		}
		found := false
		for _, w := range p.HTML([]byte("<html lang=" + c.tag + "><title>" + c.title + "</title><p>" + strings.Repeat(english, 3) + "<p>" + c.title)).Words {
			found = found || w.Term == p.Vocabulary.TermIn(c.language, []byte(c.same))
		}
		title := p.TitleWords()
		for _, w := range title {
			if c.title[w.From:w.To] == c.stop && w.Term != 0 || c.title[w.From:w.To] == c.word && w.Term != p.Vocabulary.TermIn(c.language, []byte(c.same)) {
				t.Errorf("%s: %s", c.tag, c.title[w.From:w.To])
			}
		}
		if !found || len(title) == 0 {
			t.Errorf("%s: %v, %d words", c.tag, found, len(title))
		}
	}
}

// A page that claims a language in another script has it if a few of its letters show it, however much English it quotes.
func TestClaimedScript(t *testing.T) {
	english := strings.Repeat("The server writes its databases to the folder that is named in the configuration. ", 2)
	for _, c := range []struct{ tag, text, language string }{
		{"zh-CN", "服务器将日志写入指定的文件夹", "chinese"},
		{"ja", "サーバーは設定で指定されたフォルダーに", "japanese"},
		{"ko", "서버는 설정에 지정된 폴더에", "korean"},
	} {
		for _, text := range []string{c.text, c.text + english} {
			if got := auto(t).HTML([]byte("<html lang=" + c.tag + "><p>" + text)).Language; got != c.language {
				t.Errorf("%s: %q: %q", c.tag, text, got)
			}
		}
		if got := auto(t).HTML([]byte("<html lang=" + c.tag + "><p>" + english)).Language; got != "english" {
			t.Errorf("%s: English: %q", c.tag, got)
		}
	}
}

// The language is that of most function words that occur, not of most that are distinct.
func TestLanguageByOccurrences(t *testing.T) {
	spanish := "El servidor escribe sus registros en una carpeta que se indica en la configuración, y los borra después de una semana si no se ha desactivado. "
	english := "The server writes its log files to a folder that is named in the configuration, and removes them after a week if this was not switched off. "
	page := strings.Repeat(spanish, 20) + strings.Repeat(english, 4)
	for _, tag := range []string{"", "<html lang=es>", "<html lang=en>"} {
		if got := auto(t).HTML([]byte(tag + "<p>" + page)).Language; got != "spanish" {
			t.Errorf("with %q: %q", tag, got)
		}
	}
}

// A language that is not in the list has no name, whatever its neighbours are.
func TestUnlistedLanguages(t *testing.T) {
	for tag, page := range map[string]string{
		"ia":  "Le servitor scribe su registros in un dossier que es indicate in le configuration, e los dele post un septimana si isto non es disactivate.",
		"nap": "'O server scrive 'e riggistre suoje dint'a na cartella ca sta nnecata dint'â configurazziona, e 'e scancella doppo na semmana si nun è stato stutato.",
		"io":  "La servilo skribas sua registri en dosiero qua esas indikita en la konfiguro, ed efacas oli pos un semano se to ne esas desaktivigita.",
		"yo":  "Olupin naa n kọ awọn akọọlẹ rẹ si folda ti a darukọ ninu iṣeto, o si n pa wọn rẹ lẹhin ọsẹ kan ti ko ba ti wa ni pipa.",
	} {
		if got := auto(t).HTML([]byte("<html lang=" + tag + "><p>" + page)).Language; got != "" {
			t.Errorf("%s: %q", tag, got)
		}
	}
}
