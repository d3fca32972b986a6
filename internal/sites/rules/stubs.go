package rules

import (
	"encoding/json"
	"fmt"
	"html"
	"path"
	"path/filepath"
	"strings"
)

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
	name = decoded(below)
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
