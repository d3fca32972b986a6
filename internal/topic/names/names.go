// Package names says what a document is called ([Choose]), and finds documents by what they may be called: the texts of
// links to them, their titles, hosts and the ends of their paths. A name is looked up whole, as the beginning of longer
// names, and with one typo. The package decides what a name is and keeps an index of names in memory; who has which name,
// and how firmly, is up to its caller.
package names

import (
	"net"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Longest is the number of characters of the longest name. Longer texts describe rather than name.
const Longest = 40

// Fits reports whether a text made by [Of] is a name.
func Fits(name string) bool { return name != "" && utf8.RuneCountInString(name) <= Longest }

// Of returns the name in a text: its letters and digits in lower case, so that "Rust-Lang", "rust lang" and "rustlang"
// are one name. A + or # after a letter belongs to it, as in C++. Of returns "" for a text without letters and digits, and
// may cut a name that is longer than Longest, but not to a length that is allowed.
func Of(text string) string {
	var b [2 * Longest]byte
	name := b[:0]
	for _, r := range text {
		switch {
		case len(name) > Longest && utf8.RuneCount(name) > Longest:
			return string(name)
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			name = append(name, byte(r))
		case 'A' <= r && r <= 'Z':
			name = append(name, byte(r)+'a'-'A')
		case r < utf8.RuneSelf && r != '+' && r != '#': // most of the rest
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			name = utf8.AppendRune(name, unicode.ToLower(r))
		case (r == '+' || r == '#') && len(name) > 0:
			name = append(name, byte(r))
		}
	}
	return string(name)
}

// separators are what stands between the parts of a title, but for the colon, after which the second part may be the
// longer one.
var separators = []string{"|", " - ", " – ", " — ", " · ", " • ", " :: ", " » "}

// Parts returns the parts of a title, such as "Download" and "SQLite" of "Download | SQLite".
func Parts(title string) []string {
	title = strings.ReplaceAll(title, ": ", "|")
	for _, sep := range separators[1:] {
		title = strings.ReplaceAll(title, sep, "|")
	}
	return strings.Split(title, "|")
}

// CutEnd cuts the last part off a title: "Coroutines" and "LLVM 15 documentation" of "Coroutines — LLVM 15 documentation".
// If the title has one part, it cuts off what is in brackets at its end. If there is nothing, end is empty.
func CutEnd(title string) (rest, end string) {
	at, after := -1, 0
	for _, sep := range separators {
		if i := strings.LastIndex(title, sep); i > at {
			at, after = i, i+len(sep)
		}
	}
	if at < 0 {
		return cutBrackets(strings.TrimSpace(title))
	}
	return strings.TrimSpace(title[:at]), strings.TrimSpace(title[after:])
}

// cutBrackets is CutEnd for "Callbacks (GNU Octave (version 7.3.0))".
func cutBrackets(title string) (rest, end string) {
	for i, open := len(title)-1, 0; i > 0; i-- {
		switch title[i] {
		case ')':
			open++
		case '(':
			open--
		}
		if open == 0 {
			if rest = strings.TrimSpace(title[:i]); rest == "" || title[i] != '(' {
				break
			}
			return rest, title[i+1 : len(title)-1]
		}
	}
	return title, ""
}

// shared are domains that give each of their users a host. The label of such a host is that of the user.
var shared = []string{
	"blogspot.com", "codeplex.com", "github.com", "github.io", "gitlab.io", "googlecode.com", "herokuapp.com", "livejournal.com", "netlify.app",
	"netlify.com", "pages.dev", "readthedocs.io", "readthedocs.org", "rtfd.org", "sourceforge.net", "tumblr.com", "vercel.app",
	"web.app", "wordpress.com",
}

// second are the labels that countries use below their own, as in co.uk.
var second = []string{"ac", "co", "com", "edu", "gov", "net", "or", "org"}

// Host returns what a host is called: the label that was registered, such as "sqlite" for www.sqlite.org. Main reports
// whether nothing precedes the label but www.
func Host(host string) (label string, main bool) {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimPrefix(host, "www.")
	if net.ParseIP(strings.Trim(host, "[]")) != nil {
		return "", false
	}
	all := strings.Split(host, ".")
	n := len(all)
	at := n - 2
	if n >= 3 && (slices.Contains(shared, strings.Join(all[n-2:], ".")) || len(all[n-1]) == 2 && slices.Contains(second, all[n-2])) {
		at--
	}
	at = max(0, at)
	label, err := idna.ToUnicode(all[at])
	if err != nil {
		label = all[at]
	}
	return Of(label), at == 0
}
