package payload

import "bytes"

// SniffLen is the number of bytes needed to recognize a format.
const SniffLen = 4096

// SniffPage reports whether head is certainly the beginning of a whole page: a doctype or <html>, perhaps after comments
// and an XML declaration. Files of programs begin with other tags.
func SniffPage(head []byte) bool {
	head = bytes.TrimPrefix(head[:min(len(head), SniffLen)], Utf8BOM)
	for begins := true; begins; {
		head = bytes.TrimLeft(head, " \t\r\n\f")
		switch begins = true; {
		case bytes.HasPrefix(head, []byte("<!--")):
			_, head, _ = bytes.Cut(head, []byte("-->"))
		case bytes.HasPrefix(head, []byte("<?xml")):
			_, head, _ = bytes.Cut(head, []byte("?>"))
		default:
			begins = false
		}
	}
	head = bytes.ToLower(head[:min(len(head), len("<!doctype html"))])
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

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
