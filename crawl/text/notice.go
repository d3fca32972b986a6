package text

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
)

// Notice is a message that a page shows instead of content although its status is 200.
type Notice uint8

// The notices.
const (
	NoNotice        Notice = iota
	NeedsJavaScript        // a shell that shows nothing without JavaScript
	AsksConsent            // a wall that asks for consent to cookies
	NotFound               // an error page
)

const (
	noticeWords = 60 // the greatest number of words of a notice; a longer page has content
	shellWords  = 8  // the greatest number of words of a page whose <noscript> is its notice
	longLine    = 40 // the least number of bytes of a line that may be content: others are menus and names
)

// notices are the phrases of each notice, in lower case.
var notices = [...]struct {
	notice  Notice
	phrases []string
}{
	{NeedsJavaScript, []string{
		"enable javascript", "javascript is disabled", "javascript is required", "requires javascript", "javascript to run this app", "turn on javascript",
		"without javascript enabled", "javascript is not enabled", "javascript must be enabled", "activate javascript", "needs javascript",
		"activez javascript", "activer javascript", "javascript aktivieren", "aktivieren sie javascript", "habilite javascript", "habilitar javascript",
		"ative o javascript", "habilitar o javascript", "attiva javascript", "abilita javascript", "abilitare javascript",
		"включите javascript", "включить javascript", "увімкніть javascript", "włącz javascript", "włączyć javascript", "obsługę javascript",
		"schakel javascript in", "javascript in te schakelen", "zapněte javascript", "povolte javascript", "engedélyezze a javascript",
		"javascript'i etkinleştir", "javascript’i etkinleştir", "aktivera javascript", "aktiver javascript", "ota javascript käyttöön",
		"ενεργοποιήστε τη javascript", "bật javascript", "aktifkan javascript", "เปิดใช้งาน javascript", "启用 javascript", "启用javascript",
		"啟用 javascript", "啟用javascript", "开启 javascript", "javascript を有効", "javascriptを有効", "javascript を有効にしてください", "javascriptを有効にしてください", "javascript를 활성화", "javascript를 사용",
		"자바스크립트를 활성화", "تفعيل javascript", "تفعيل جافا سكريبت", "להפעיל javascript",
	}},
	{AsksConsent, []string{
		"accept cookies", "accept all cookies", "we use cookies", "before you continue to", "we value your privacy", "consent to cookies", "cookie consent",
		"wir verwenden cookies", "nous utilisons des cookies", "utilizamos cookies", "usamos cookies", "utilizziamo i cookie", "wij gebruiken cookies",
		"we gebruiken cookies", "мы используем cookie", "мы используем файлы cookie", "używamy plików cookie", "používáme cookies", "vi använder cookies",
		"vi bruger cookies", "çerezleri kullan", "cookieを使用", "cookie を使用", "使用 cookie", "使用cookie", "쿠키를 사용",
	}},
	{NotFound, []string{
		"page not found", "404 not found", "not found (404)", "error 404", "404 error", "page does not exist", "page doesn't exist", "page cannot be found",
		"page can't be found", "page could not be found", "page you requested was not found", "page you are looking for", "page no longer exists",
		"page you were looking for", "page you're looking for", "file not found", "object not found",
		"seite nicht gefunden", "seite wurde nicht gefunden", "seite existiert nicht", "page introuvable", "page non trouvée", "page demandée n'existe pas",
		"page que vous recherchez", "página no encontrada", "página no existe", "página que busca", "página não encontrada", "página não existe",
		"страница не найдена", "страницы не существует", "сторінку не знайдено", "pagina non trovata", "pagina non esiste",
		"sidan hittades inte", "sidan kunde inte hittas", "siden blev ikke fundet", "siden ble ikke funnet", "siden findes ikke", "sivua ei löytynyt",
		"nie znaleziono strony", "strona nie została znaleziona", "strona nie istnieje", "pagina niet gevonden", "pagina die u zoekt", "pagina bestaat niet",
		"sayfa bulunamadı", "stránka nebyla nalezena", "stránka nenalezena", "stránka neexistuje", "stránka sa nenašla", "az oldal nem található",
		"pagina nu a fost găsită", "страницата не е намерена", "η σελίδα δεν βρέθηκε", "không tìm thấy trang", "trang không tồn tại",
		"halaman tidak ditemukan", "ไม่พบหน้า", "पृष्ठ नहीं मिला", "页面不存在", "頁面不存在", "页面未找到", "找不到页面", "找不到頁面", "网页不存在",
		"ページが見つかりません", "ページは見つかりません", "페이지를 찾을 수 없", "존재하지 않는 페이지", "الصفحة غير موجودة", "لم يتم العثور على الصفحة",
		"הדף לא נמצא", "הדף המבוקש לא נמצא", "העמוד לא נמצא",
	}},
}

// Notice looks for set phrases in the common languages in the title and text of a short page, and in <noscript> if the
// page has hardly any other text. A phrase is not enough: in the title or the first line it must be at least half of a
// sentence, and elsewhere it must begin a sentence or be a third of it, and the lines with such sentences must be longer
// than all other long lines together.
func (d *Doc) Notice() Notice {
	if len(d.Words)+d.Counted > noticeWords {
		return NoNotice
	}
	top, _, _ := bytes.Cut(bytes.TrimSpace(d.Text), []byte("\n"))
	title, first := normal(d.Title), normal(top)
	lines := strings.Split(normal(d.Text), "\n")
	for _, n := range notices {
		if isSaid(title, n.phrases, 2, false) || isSaid(first, n.phrases, 2, false) || isMostOf(lines, n.phrases) {
			return n.notice
		}
	}
	if len(d.NoScript) > 0 && len(d.Words) <= shellWords && says(normal(markup.ReplaceAllLiteral(d.NoScript, nil)), notices[0].phrases) {
		return NeedsJavaScript
	}
	return NoNotice
}

// Unscripted returns the URL of a refresh in <noscript> to which a short page links too, because its script redirects.
func (d *Doc) Unscripted() string {
	if m := refreshing.FindSubmatch(d.NoScript); m != nil && len(d.Words) <= noticeWords {
		url := Refresh(html.UnescapeString(string(m[1])))
		if slices.ContainsFunc(d.Links, func(l Link) bool { return l.Href == url }) {
			return url
		}
	}
	return ""
}

var (
	markup     = regexp.MustCompile(`<[^>]*>`)
	refreshing = regexp.MustCompile(`(?i)<meta http-equiv="?refresh"? content="([^"]*)"`)
)

func normal(s []byte) string {
	return strings.ReplaceAll(strings.ToLower(string(s)), "’", "'")
}

func says(s string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(s, phrase) })
}

// isSaid reports whether a phrase is at least 1/share of a sentence of a line or, if begins is set, begins it.
func isSaid(line string, phrases []string, share int, begins bool) bool {
	if !says(line, phrases) {
		return false
	}
	for sentence := range sentences(line) {
		for _, phrase := range phrases {
			i := strings.Index(sentence, phrase)
			if i >= 0 && share*len(phrase) >= len(sentence) || i == 0 && begins {
				return true
			}
		}
	}
	return false
}

// sentences yields the parts of a line between the marks that end sentences and divide titles.
func sentences(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for sentence := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(".!?;:|·•–—»,。！？，", r) }) {
			for part := range strings.SplitSeq(sentence, " - ") {
				if part = strings.TrimSpace(part); part != "" && !yield(part) {
					return
				}
			}
		}
	}
}

// isMostOf reports whether the lines that say a phrase are longer than the other long ones.
func isMostOf(lines, phrases []string) bool {
	said, others := 0, 0
	for _, line := range lines {
		switch {
		case isSaid(line, phrases, 3, true):
			said += len(line)
		case len(line) >= longLine:
			others += len(line)
		}
	}
	return said > others
}
