package payload

import (
	"bytes"
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
)

// Bounds of the search for a declaration.
const (
	prescanLen = 1024      // bytes in which browsers look for a declaration before they parse the page
	headLen    = 256 << 10 // bytes in which to look for the end of the head
)

// metaCharset returns the charset that a page declares in a <meta> or, without one, in its XML declaration. Like the
// prescan of the HTML standard (section 13.2.3.2), it looks at the first bytes whatever they are, and like a parser at
// the rest of the head.
func metaCharset(b []byte) (encoding.Encoding, string) {
	b = b[:min(len(b), headLen)]
	for tag := range Tags(b) {
		switch late := tag.at > prescanLen; {
		case late && (tag.Name == "body" || tag.Name == "head" && tag.End):
			return xmlCharset(b)
		case tag.Name == "meta" && !tag.End:
			label := tag.Attribute("charset")
			if label == "" && strings.EqualFold(tag.Attribute("http-equiv"), "content-type") {
				label = labelIn(tag.Attribute("content"))
			}
			if enc, name := lookup(label); enc != nil {
				return enc, name
			}
		}
	}
	return xmlCharset(b)
}

// xmlCharset returns the charset of the XML declaration.
func xmlCharset(b []byte) (encoding.Encoding, string) {
	declaration, ok := bytes.CutPrefix(b[:min(len(b), prescanLen)], []byte("<?xml"))
	if !ok {
		return nil, ""
	}
	for tag := range Tags(append([]byte("<xml "), declaration...)) {
		return lookup(tag.Attribute("encoding"))
	}
	return nil, ""
}

// labelIn returns the value of charset in a content type.
func labelIn(contentType string) string {
	for s := contentType; ; {
		i := strings.Index(strings.ToLower(s), "charset")
		if i < 0 {
			return ""
		}
		if s = strings.TrimLeft(s[i+len("charset"):], space); s != "" && s[0] == '=' {
			s = strings.TrimLeft(s[1:], space+"\"'")
			if end := strings.IndexAny(s, "\"';,"+space); end >= 0 {
				s = s[:end]
			}
			return s
		}
	}
}

// space is the white space of HTML.
const space = " \t\r\n\f"

// Tag is a tag of a page. It is valid until the next one.
type Tag struct {
	Name string
	End  bool
	at   int // offset in the page of what follows it

	z     *html.Tokenizer
	more  bool // attributes have not been read
	attrs map[string]string
}

// Attribute returns the first attribute of a name, which is in lower case, or "".
func (t *Tag) Attribute(name string) string {
	for t.more {
		var key, value []byte
		key, value, t.more = t.z.TagAttr()
		if _, twice := t.attrs[string(key)]; !twice {
			t.attrs[string(key)] = string(value)
		}
	}
	return t.attrs[name]
}

// Tags yields the tags of a page, outside of scripts, styles and comments.
func Tags(page []byte) iter.Seq[*Tag] {
	return func(yield func(*Tag) bool) {
		t := &Tag{z: html.NewTokenizer(bytes.NewReader(page)), attrs: map[string]string{}}
		for kind := t.z.Next(); kind != html.ErrorToken; kind = t.z.Next() {
			t.at += len(t.z.Raw())
			if kind == html.TextToken || kind == html.CommentToken || kind == html.DoctypeToken {
				continue
			}
			var name []byte
			name, t.more = t.z.TagName()
			t.Name, t.End = nameOf(name), kind == html.EndTagToken
			clear(t.attrs)
			if !yield(t) {
				return
			}
		}
	}
}

// nameOf returns a name as a string, without a copy if it is one that callers look for.
func nameOf(name []byte) string {
	for _, known := range [...]string{"a", "base", "body", "head", "link", "meta"} {
		if string(name) == known {
			return known
		}
	}
	return ""
}

func isSpace(c byte) bool { return strings.IndexByte(space, c) >= 0 }

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
	for _, tag := range []string{"!doctype html", "!--", "html", "head", "body", "title", "meta", "script", "style", "link",
		"div", "p", "a ", "h1", "h2", "h3", "table", "font", "br", "b>", "center", "iframe", "base", "article", "main"} {
		if bytes.HasPrefix(head, []byte(tag)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("?xml")) && bytes.Contains(head, []byte("html"))
}
