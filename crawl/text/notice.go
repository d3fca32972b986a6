package text

import "strings"

// Notice is a message that a page shows instead of content although its status is 200.
type Notice uint8

// The notices.
const (
	NoNotice        Notice = iota
	NeedsJavaScript        // a shell that shows nothing without JavaScript
	AsksConsent            // a wall that asks for consent to cookies
	NotFound               // an error page
)

// noticeWords is the greatest number of words of a notice. A longer page has content.
const noticeWords = 60

// notices are the phrases of each notice, in lower case.
var notices = [...]struct {
	notice  Notice
	phrases []string
}{
	{NeedsJavaScript, []string{
		"enable javascript", "javascript is disabled", "javascript is required", "requires javascript", "javascript to run this app", "turn on javascript",
		"activez javascript", "activer javascript", "javascript aktivieren", "aktivieren sie javascript", "habilite javascript", "включите javascript",
	}},
	{AsksConsent, []string{
		"accept cookies", "accept all cookies", "we use cookies", "before you continue to", "we value your privacy", "consent to cookies", "cookie consent",
		"wir verwenden cookies", "nous utilisons des cookies", "utilizamos cookies",
	}},
	{NotFound, []string{
		"page not found", "404 not found", "not found (404)", "error 404", "404 error", "page does not exist", "page doesn't exist", "page cannot be found",
		"page can't be found", "page could not be found", "page you requested was not found", "page you are looking for", "page no longer exists",
		"seite nicht gefunden", "page introuvable", "página no encontrada", "página não encontrada", "страница не найдена", "pagina non trovata", "sidan hittades inte",
	}},
}

// Notice looks for set phrases in eight languages in the title and text of a short page.
func (d *Doc) Notice() Notice {
	if len(d.Words) > noticeWords {
		return NoNotice
	}
	page := strings.ReplaceAll(strings.ToLower(string(d.Title)+"\n"+string(d.Text)), "’", "'")
	for _, n := range notices {
		for _, phrase := range n.phrases {
			if strings.Contains(page, phrase) {
				return n.notice
			}
		}
	}
	return NoNotice
}
