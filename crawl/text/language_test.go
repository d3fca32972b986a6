package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/bags"
)

func auto(t testing.TB) *Parser {
	t.Helper()
	v, err := NewVocabulary(Analysis{Language: Auto, Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	return &Parser{Vocabulary: v}
}

// mixed is English for the first half of a page.
const mixed = "<p>The server writes its log files to a folder that is named in the configuration, and removes them after a week.<p>"

func TestLanguage(t *testing.T) {
	p := auto(t)
	for _, c := range []struct{ want, html string }{
		{"english", "<p>The server writes its log files to a folder that is named in the configuration, and removes them after a week.</p>"},
		{"french", "<p>Le serveur écrit ses journaux dans un dossier qui est nommé dans la configuration, et les supprime après une semaine.</p>"},
		{"spanish", "<p>El servidor escribe sus registros en una carpeta que se indica en la configuración, y los borra después de una semana.</p>"},
		{"russian", "<p>Сервер пишет журналы в папку, которая указана в настройках, и удаляет их через неделю, если это не отключено.</p>"},
		{"swedish", "<p>Servern skriver sina loggar till en mapp som anges i inställningarna, och tar bort dem efter en vecka om det inte är avstängt.</p>"},
		{"norwegian", "<p>Serveren skriver loggene sine til en mappe som er oppgitt i innstillingene, og sletter dem etter en uke når det ikke blir slått av. Noen vil ha det slik.</p>"},
		{"hungarian", "<p>A kiszolgáló a naplóit egy mappába írja, amely a beállításokban van megadva, és egy hét után törli, ha ez nem lett kikapcsolva.</p>"},
		{"german", "<p>Der Server schreibt seine Protokolle in einen Ordner, der bei den Einstellungen steht, und löscht sie nach einer Woche.</p>"},
		{"dutch", "<p>De server schrijft zijn logboeken naar een map die in de configuratie staat, en wist ze na een week als dat niet uit is gezet.</p>"},
		{"portuguese", "<p>O servidor escreve os registros em uma pasta que é indicada na configuração, e não os apaga até o fim da semana.</p>"},
		{"italian", "<p>Il server scrive i registri in una cartella che è indicata nella configurazione, e li cancella dopo una settimana se non è disattivato.</p>"},
		{"polish", "<p>Serwer zapisuje dzienniki w folderze, który jest podany w ustawieniach, i usuwa je po tygodniu, jeśli nie zostało to wyłączone.</p>"},
		{"japanese", "<p>サーバーは設定で指定されたフォルダーにログを書き込みます。</p>"},
		{"chinese", "<p>服务器将日志写入配置中指定的文件夹，一周后删除。</p>"},
		{"korean", "<p>서버는 설정에 지정된 폴더에 로그를 기록합니다.</p>"},
		{"greek", "<p>Ο διακομιστής γράφει τα αρχεία καταγραφής σε έναν φάκελο.</p>"},
		{"", ""},
		{"", "<p>Chapter 70. GIN Indexes</p>"},
		{"", "<html lang=en><p>Reykjavík Kópavogur Hafnarfjörður Akureyri</p>"}, // a claim alone is nothing
		{"english", "<html lang=en-GB><p>Release notes of version 15</p>"},
		{"", "<p>Release notes of version 15</p>"},
		{"english", "<p>Release notes of the version 15</p>"},
		{"norwegian", "<html lang=nb><p>Blåbær og multer for barn</p>"}, // which is also Danish
		{"", "<p>Blåbær og multer for barn</p>"},
		{"", "<p>" + strings.Repeat("az vm create az vm delete ", 50)},                                           // one word, however often
		{"", "<p>Vincent van der Berg, Ludwig van Beethoven, Rosa de la Cruz"},                                   // names
		{"", "<p>" + strings.Repeat("go fix ./... go vet go run ", 12) + "Update the packages to use new APIs."}, // one word of Polish
		{"english", "<p>Manage accounts with az. Set the subscription: az account set. List all of them: az account list."},
		{"chinese", "<p>服务器将日志写入配置中指定的文件夹，一周后删除。服务器将日志写入配置中。 The name of the folder is in the log."},
		{"ukrainian", "<p>Сервер пише журнали у теку, яка вказана в налаштуваннях, і видаляє їх через тиждень, якщо це не вимкнено."},
		{"bulgarian", "<p>Сървърът записва дневниците в папка, която е посочена в настройките, и ги изтрива след седмица, ако това не е изключено."},
		{"serbian", "<p>Сервер записује дневнике у фасциклу која је наведена у подешавањима, и брише их после недељу дана, ако то није искључено."},
		{"croatian", "<p>Poslužitelj zapisuje dnevnike u mapu koja je navedena u postavkama, i briše ih nakon tjedna ako to nije isključeno."},
		{"slovenian", "<p>Strežnik zapisuje dnevnike v mapo, ki je navedena v nastavitvah, in jih po tednu izbriše, če to ni izklopljeno ali pa še ne."},
		{"slovak", "<p>Server zapisuje protokoly do priečinka, ktorý je uvedený v nastaveniach, a po týždni ich odstráni, ak to nie je vypnuté alebo už."},
		{"czech", "<p>Server zapisuje protokoly do složky, která je uvedena v nastavení, a po týdnu je odstraní, pokud to není vypnuto nebo již."},
		{"catalan", "<p>El servidor escriu els registres en una carpeta que és indicada a la configuració, i els esborra després d'una setmana amb això, però també més."},
		{"estonian", "<p>Server kirjutab logid kausta, mis on seadetes märgitud, ja kustutab need nädala pärast, kui see ei ole välja lülitatud."},
		{"latvian", "<p>Serveris raksta žurnālus mapē, kas ir norādīta iestatījumos, un pēc nedēļas tos dzēš, ja tas nav izslēgts vai arī."},
		{"lithuanian", "<p>Serveris rašo žurnalus į aplanką, kuris yra nurodytas nustatymuose, ir po savaitės juos ištrina, jei tai nėra išjungta arba jau."},
		{"vietnamese", "<p>Máy chủ ghi nhật ký vào một thư mục được chỉ định trong cấu hình và xóa chúng sau một tuần nếu không bị tắt."},
		{"hindi", "<p>सर्वर अपने लॉग एक फ़ोल्डर में लिखता है जो सेटिंग में दिया गया है और एक सप्ताह के बाद उन्हें हटा देता है।"},
		{"urdu", "<p>سرور اپنے لاگ ایک فولڈر میں لکھتا ہے جو ترتیبات میں دیا گیا ہے اور ایک ہفتے کے بعد ان کو ہٹا دیتا ہے۔"},
		{"persian", "<p>سرور گزارش\u200Cهای خود را در پوشه\u200Cای که در تنظیمات آمده است می\u200Cنویسد و آن را پس از یک هفته پاک می\u200Cکند."},
		{"turkish", "<p>Sunucu, günlüklerini ayarlarda belirtilen bir klasöre yazar ve bu kapatılmadıysa bir hafta sonra siler, ancak daha çok."},
		{"azerbaijani", "<p>Server jurnallarını bir qovluğa yazır və bu söndürülməyibsə bir həftədən sonra silir, hansı ki daha çox yer üçün."},
		{"danish", "<p>Serveren skriver sine logfiler til en mappe, som er angivet i indstillingerne, og sletter dem efter en uge, hvis det ikke bliver slået fra. Nogle vil have hvordan."},
		{"malayalam", "<p>സെർവർ ക്രമീകരണങ്ങളിൽ പറഞ്ഞ ഫോൾഡറിൽ എഴുതുന്നു"},
		{"german", mixed + "Der Server schreibt seine Protokolle in einen Ordner, der bei den Einstellungen steht, und löscht sie nach einer Woche, wenn das nicht aus ist."},
		{"russian", mixed + "Сервер пишет журналы в папку, которая указана в настройках, и удаляет их через неделю, если это не отключено, но так было не всегда."},
		{"english", mixed + "Der Server schreibt seine Protokolle in einen Ordner."},
		{"russian", "<p>Фильтры усиления используются для устранения таких дефектов изображения, как шум. Пред. Наверх След. Начало"}, // a word of Bulgarian, too
		{"bulgarian", "<p>Търсенето се използва за намиране на страници след тази, която е отворена в прозореца."},
		{"french", "<html lang=en><p>Le serveur est dans la salle des machines avec les autres.</p>"}, // nor is a wrong one
	} {
		if got := p.HTML([]byte(c.html)).Language; got != c.want {
			t.Errorf("%q: %q, want %q", c.html, got, c.want)
		}
	}
}

// TestTermsByLanguage: a term depends on the language and the word. The terms of an English page are those of an
// English vocabulary.
func TestTermsByLanguage(t *testing.T) {
	page := []byte(`<title>Running servers</title><p>The servers are running, and the databases of the city were not touched by it.</p>`)
	fixed, free := parser(t), auto(t)
	want := append([]Word(nil), fixed.HTML(page).Words...)
	wantTitle := append([]Word(nil), fixed.TitleWords()...)
	for range 2 { // the second time from memory
		if d := cmp.Diff(want, free.HTML(page).Words); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(wantTitle, free.TitleWords()); d != "" {
			t.Fatal(d)
		}
		free.HTML([]byte("<p>Les nations sont dans la ville avec les autres."))
	}
	v := free.Vocabulary
	term := func(language, word string) bags.Term { return v.TermIn(language, []byte(word)) }
	for _, c := range []struct {
		name string
		a, b bags.Term
		same bool
	}{
		{"stems", term("english", "nations"), term("english", "nation"), true},
		{"no stemmer", term("vietnamese", "nations"), term("vietnamese", "nation"), false},
		{"unknown", term("", "nations"), term("", "nation"), false},
		{"no stemmer is as unknown", term("vietnamese", "nations"), term("", "nations"), true},
		{"another stemmer", term("english", "generously"), term("french", "generously"), false},
		{"a name is one in all languages", term("english", "zürich"), term("french", "zürich"), true},
		{"stop word here", term("english", "the"), 0, true},
		{"and not there", term("spanish", "the"), 0, false},
	} {
		if (c.a == c.b) != c.same {
			t.Errorf("%s: %x and %x", c.name, c.a, c.b)
		}
	}
}

// A vocabulary of pages in several languages drains its counts: each word under each of its terms.
func TestDrainAuto(t *testing.T) {
	p := auto(t)
	p.HTML([]byte("<p>The nations of the world are in this hall with the other nations."))
	p.HTML([]byte("<p>Les nations sont dans la salle avec les autres."))
	got := map[string]uint64{}
	if err := p.Vocabulary.Drain(func(_ bags.Term, word string, n uint64) error { got[word] += n; return nil }); err != nil {
		t.Fatal(err)
	}
	if got["nations"] != 3 || got["the"] != 0 || got["salle"] != 1 {
		t.Error(got)
	}
	if d := p.HTML([]byte("<p>The nations of the world are in this hall.")); d.Language != "english" || d.Words[1].Term == 0 {
		t.Error("after a drain:", d.Language, d.Words)
	}
}

func TestMeta(t *testing.T) {
	d := parser(t).HTML([]byte(`<html LANG=de><head><link rel="shortcut Canonical" href=/a><link rel=canonical href=/b>
		<link rel=alternate hreflang=fr href=/fr><link rel=alternate type=rss href=/rss><link rel=canonical>
		<meta name=ROBOTS content="follow, NoIndex"><meta http-equiv=Refresh content="0; URL='/new'"><meta http-equiv=refresh content="0;/newer">`))
	want := Meta{Lang: "de", Canonical: "/a", Alternates: []Alternate{{"fr", "/fr"}}, NoIndex: true, Refresh: "/new"}
	if diff := cmp.Diff(want, d.Meta); diff != "" {
		t.Error(diff)
	}
	if d := parser(t).HTML([]byte(strings.Repeat("<link rel=alternate hreflang=x href=y>", 2*MaxAlternates))); len(d.Meta.Alternates) != MaxAlternates {
		t.Error(len(d.Meta.Alternates))
	}
}

func TestRefresh(t *testing.T) {
	for content, want := range map[string]string{
		"0;url=/x": "/x", "0; url = /x": "/x", `5, "/x"`: "/x", "0.5;URL='/x'": "/x", "": "", "3": "", "30;url=/x": "", "NaN;url=/x": "", "-1;/x": "", "x;y": "",
		"0;urls/x": "urls/x", "0;": "",
	} {
		if got := Refresh(content); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

func TestBoundsOfPages(t *testing.T) {
	d := parser(t).HTML([]byte(strings.Repeat("a ", MaxWords+5) + strings.Repeat("<a href=x>y</a>", MaxLinks+3)))
	if len(d.Words) != MaxWords || d.CutWords != 5+MaxLinks+1 || len(d.Links) != MaxLinks || d.CutLinks != 3 {
		t.Error(len(d.Words), d.CutWords, len(d.Links), d.CutLinks)
	}
	if d := parser(t).HTML([]byte(strings.Repeat("<div><b>", 1<<19) + "deep")); len(d.Words) != 1 {
		t.Error("a deep page:", len(d.Words))
	}
}

// Tables store the numbers of languages, and each language has one.
func TestLanguageNumbers(t *testing.T) {
	numbers := map[uint8]string{}
	for _, l := range worded {
		numbers[LanguageNumber(l.name)] = l.name
	}
	for _, s := range scripts {
		numbers[LanguageNumber(s.language)] = s.language
	}
	for n, name := range numbers {
		if n == 0 || LanguageName(n) != name {
			t.Errorf("%s has number %d, which is %q", name, n, LanguageName(n))
		}
	}
	if LanguageName(0) != "" || LanguageNumber("english") != 1 || LanguageNumber("persian") != 22 || LanguageNumber("bengali") != 138 {
		t.Error("numbers of old tables have changed")
	}
	if len(functions.masks) > maxFunctionWords || len(worded) > 64 {
		t.Error(len(functions.masks), "function words of", len(worded), "languages")
	}
}
