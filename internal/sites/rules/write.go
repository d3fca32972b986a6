package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

type writer struct {
	bytes.Buffer
	Site
	hosts bool // rules are for several hosts, so each names its host
	left  int  // rules that the format cannot express
}

// writer returns what a format writes for rules, without what is around them.
func (f *format) writer(rules []Rule, site Site) *writer {
	w := &writer{Site: site}
	var origins []string
	if site.Base != "" {
		origins = append(origins, originOf(site.Base))
	}
	for _, r := range rules {
		origins = append(origins, originOf(r.From))
	}
	slices.Sort(origins)
	w.hosts = len(slices.Compact(origins)) > 1
	f.write(w, rules)
	return w
}

// each makes a writer of rules from that of a rule.
func each(write func(w *writer, r Rule)) func(w *writer, rules []Rule) {
	return func(w *writer, rules []Rule) {
		for _, r := range rules {
			write(w, r)
		}
	}
}

// below returns the path of a URL below the base of the site, without a slash at either end.
func (w *writer) below(url string) (path string, ok bool) {
	path, ok = strings.CutPrefix(url, cmp.Or(w.Base, originOf(url)))
	ok = ok && !strings.Contains(url, "?") && (path == "" || path[0] == '/')
	return strings.Trim(path, "/"), ok
}

// page returns the source file, without its suffix, from which a generator makes a page.
func (w *writer) page(url string) (name string, ok bool) {
	path, ok := w.below(url)
	name, html := strings.CutSuffix(path, ".html")
	switch {
	case path == "":
		return "index", ok
	case html && !w.HTML:
		return "", false
	case !html && w.HTML:
		name += "/index"
	}
	name = ascii.Unescaped(name)
	return name, ok && !strings.Contains(name, "#")
}

// source is the URL that a rule redirects, split into the parts that servers match.
type source struct {
	host  string
	path  string // percent-encoded, without a slash at the end: empty at the top
	query string
}

func sourceOf(r Rule) (s source) {
	origin := originOf(r.From)
	_, s.host, _ = strings.Cut(origin, "://")
	s.path, s.query, _ = strings.Cut(r.From[len(origin):], "?")
	s.path = strings.TrimSuffix(s.path, "/")
	return s
}

// everything matches what may follow a folder, and index what may follow a path in the forms with the same canonical URL.
const (
	everything = `(?:/(.*))?`
	noIndex    = `(?!(?:.*/)?(?:index|default)\.)`
	index      = `/?(?:(?:index|default)\.\w+)?`
)

// pattern returns the regular expression, between ^/ and $, of the decoded paths that a rule matches. It has a group for what
// follows a folder.
func (s source) pattern(r Rule) string {
	path := strings.TrimPrefix(quoteMeta(ascii.Unescaped(s.path)), "/")
	switch {
	case r.Ends[0] != "":
		return strings.TrimPrefix(path+"/"+noIndex+"(.*)"+quoteMeta(r.Ends[0]), "/")
	case r.Prefix && path == "":
		return "(.*)"
	case r.Prefix:
		return path + everything
	case path == "":
		return strings.TrimPrefix(index, "/?")
	}
	return path + index
}

// quoteMeta quotes a path for a regular expression. Control characters and quotes become escapes, so that the result
// can stand between double quotes.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range []byte(s) {
		switch {
		case r <= ' ' || r == '"' || r == '\'' || r == '\\' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x80:
			b.WriteString(regexp.QuoteMeta(string(rune(r))))
		default:
			b.WriteByte(r)
		}
	}
	return b.String()
}

// safe encodes what could end a quoted word or a line of a configuration, or look like a variable.
var safe = strings.NewReplacer(`"`, "%22", `\`, "%5C", " ", "%20", "\n", "%0A", "\r", "%0D", "{", "%7B", "}", "%7D", "`", "%60")

// target returns the URL that a rule leads to, which for a folder ends with the slash before the rest.
func (w *writer) target(r Rule) string {
	if r.Prefix {
		return safe.Replace(strings.TrimSuffix(r.To, "/") + "/")
	}
	return safe.Replace(w.formOf(r.To))
}

// ending returns what follows the rest of a URL in the target of a rule for a folder.
func (w *writer) ending(r Rule) string {
	if r.Ends[0] == "" {
		return ""
	}
	return r.Ends[1] + strings.TrimPrefix(w.formOf(r.like), r.like)
}

// formOf returns a canonical URL as the site writes it.
func (w *writer) formOf(url string) string {
	if w.Form == nil {
		return url
	}
	return w.Form(url)
}

// plain returns the URL that a rule redirects, without its origin if all rules are for one host.
func (w *writer) plain(r Rule) string {
	if w.hosts {
		return safe.Replace(r.From)
	}
	return safe.Replace(cmp.Or(r.From[len(originOf(r.From)):], "/"))
}

// stub is a page that redirects: at once by a script, which finds the new places of its parts, or else by a refresh.
const stub = `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Moved</title>
<link rel="canonical" href="%[1]s"><meta name="robots" content="noindex">
<script>var parts = %[3]s, part = location.hash.slice(1); location.replace(parts[part] || %[2]s + location.hash)</script>
<meta http-equiv="refresh" content="0; url=%[1]s"></head>
<body><p>This page has moved to <a href="%[1]s">%[1]s</a>.</p></body></html>
`

// Stub returns a page that redirects the URL of a move, for hosts that know no rules, and the name of its file in the folder
// of the site. parts are the new URLs of parts of the old page, by their ids. It is not ok if the URL is none of a file.
func Stub(m Move, site Site, parts map[string]string) (name, page string, ok bool) {
	w := &writer{Site: site}
	below, ok := w.below(m.From)
	name = ascii.Unescaped(below)
	if ext := path.Ext(name); ext != ".html" && ext != ".htm" {
		name = path.Join(name, "index.html")
	}
	to := w.target(Rule{To: m.To})
	quoted, _ := json.Marshal(to) // strings cannot fail
	list, _ := json.Marshal(parts)
	if parts == nil {
		list = []byte("{}")
	}
	return name, fmt.Sprintf(stub, html.EscapeString(to), quoted, list), ok && below != "" && filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, "\\")
}
