package payload

import "bytes"

// SniffLen is the number of bytes needed to recognize a format.
const SniffLen = 4096

// SniffHTML reports whether head looks like HTML by the rules of browsers: a tag, a comment or a doctype after white
// space.
func SniffHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), SniffLen)], Utf8BOM), " \t\r\n\f")
	if len(head) < 2 || head[0] != '<' {
		return false
	}
	head = bytes.ToLower(head[1:min(len(head), 64)])
	for _, tag := range []string{"!doctype html", "html", "head", "body", "title", "meta", "script", "style", "link",
		"div", "p", "a ", "h1", "h2", "h3", "table", "font", "br", "b>", "center", "iframe", "base", "article", "main"} {
		if bytes.HasPrefix(head, []byte(tag)) {
			return true
		}
	}
	if bytes.HasPrefix(head, []byte("!--")) {
		return true
	}
	return bytes.HasPrefix(head, []byte("?xml")) && bytes.Contains(head, []byte("html"))
}
