package payload

import (
	"bytes"
	"html"
	"iter"

	"golang.org/x/text/encoding"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Bounds of the search for a declaration.
const (
	prescanLen = 1024      // bytes in which browsers look for a declaration before they parse the page
	headLen    = 256 << 10 // bytes in which to look for the end of the head
)

// metaCharset returns the charset that a page declares in a <meta> or, without one, in its XML declaration. Like the
// prescan of the HTML standard (section 13.2.3.2), it passes over comments and the attributes of other tags. Like a
// parser, it then continues to the end of the head and passes over the content of scripts, styles and titles.
func metaCharset(b []byte) (encoding.Encoding, string) {
	b = b[:min(len(b), headLen)]
	for rest := b; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return xmlCharset(b)
		}
		rest = rest[i+1:]
		late := len(b)-len(rest) > prescanLen
		name, end := tagName(rest)
		switch {
		case bytes.HasPrefix(rest, []byte("!--")):
			rest = after(rest[1:], "-->") // <!--> is a comment
			continue
		case len(name) == 0 && len(rest) > 0 && (rest[0] == '!' || rest[0] == '?' || rest[0] == '/'):
			rest = after(rest, ">")
			continue
		case len(name) == 0:
			continue
		case late && (ascii.EqualFold(name, "body") || ascii.EqualFold(name, "head") && end):
			return xmlCharset(b)
		}
		var label string
		if label, rest = tagCharset(rest[len(name):]); ascii.EqualFold(name, "meta") && !end {
			if enc, name := lookup(label); enc != nil {
				return enc, name
			}
		}
		if late && !end && (ascii.EqualFold(name, "script") || ascii.EqualFold(name, "style") || ascii.EqualFold(name, "title")) {
			rest = after(rest, "</")
		}
	}
}

// after returns b after the first sep, or nothing.
func after(b []byte, sep string) []byte {
	_, rest, _ := bytes.Cut(b, []byte(sep))
	return rest
}

// tagName returns the name of the tag whose text after < is b. The name of an end tag begins with a slash.
func tagName(b []byte) (name []byte, end bool) {
	n := 0
	if end = len(b) > 0 && b[0] == '/'; end {
		n = 1
	}
	if n == len(b) || !isASCIILetter(b[n]) {
		return nil, end
	}
	for n < len(b) && !isSpace(b[n]) && b[n] != '/' && b[n] != '>' {
		n++
	}
	return b[:n], end
}

// tagCharset returns the charset that the attributes of a <meta> declare, and what follows the tag.
func tagCharset(b []byte) (label string, rest []byte) {
	var direct, content string
	pragma := false
	for {
		name, value, more := attribute(&b)
		if !more {
			break
		}
		switch {
		case ascii.EqualFold(name, "charset") && direct == "":
			direct = string(value)
		case ascii.EqualFold(name, "content") && content == "":
			content = labelIn(value)
		case ascii.EqualFold(name, "http-equiv"):
			pragma = pragma || ascii.EqualFold(value, "content-type")
		}
	}
	if direct == "" && pragma {
		direct = content
	}
	return direct, b
}

// attribute cuts the next attribute off b, the attributes of a tag. more is false if the tag ends.
func attribute(b *[]byte) (name, value []byte, more bool) {
	s := *b
	defer func() { *b = s }()
	for len(s) > 0 && (isSpace(s[0]) || s[0] == '/') {
		s = s[1:]
	}
	if len(s) == 0 || s[0] == '>' {
		return nil, nil, false
	}
	n := 1
	for n < len(s) && !isSpace(s[n]) && s[n] != '=' && s[n] != '/' && s[n] != '>' {
		n++
	}
	name, s = s[:n], trimSpace(s[n:])
	if len(s) == 0 || s[0] != '=' {
		return name, nil, true
	}
	if s = trimSpace(s[1:]); len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		value, s, _ = bytes.Cut(s[1:], s[:1])
		return name, value, true
	}
	for n = 0; n < len(s) && !isSpace(s[n]) && s[n] != '>'; {
		n++
	}
	value, s = s[:n], s[n:]
	return name, value, true
}

// labelIn returns the value of charset in a content type.
func labelIn(contentType []byte) string {
	for b := contentType; ; {
		i := bytes.Index(bytes.ToLower(b), []byte("charset"))
		if i < 0 {
			return ""
		}
		if b = trimSpace(b[i+len("charset"):]); len(b) > 0 && b[0] == '=' {
			b = bytes.TrimLeft(b[1:], " \t\r\n\f\"'")
			if end := bytes.IndexAny(b, "\"'; ,\t\r\n\f"); end >= 0 {
				b = b[:end]
			}
			return string(b)
		}
	}
}

// xmlCharset returns the charset of the XML declaration.
func xmlCharset(b []byte) (encoding.Encoding, string) {
	declaration, ok := bytes.CutPrefix(b[:min(len(b), prescanLen)], []byte("<?xml"))
	if !ok {
		return nil, ""
	}
	declaration, _, _ = bytes.Cut(declaration, []byte(">"))
	return lookup(Attribute(declaration, "encoding"))
}

// maxTag is the number of bytes in which Tags looks for the end of a tag.
const maxTag = 4096

// Tags returns the attributes of each start tag of a name, which is in lower case, and what follows them.
func Tags(page []byte, name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			_, rest, found := bytes.Cut(page, []byte("<"))
			if page = rest; !found {
				return
			}
			n := len(name)
			if len(rest) <= n || !ascii.EqualFold(rest[:n], name) || rest[n] > ' ' && rest[n] != '/' {
				continue
			}
			rest = rest[:min(len(rest), maxTag)]
			end := bytes.IndexByte(rest, '>')
			if end >= 0 && !yield(rest[n:]) {
				return
			}
			page = page[max(end, 0):]
		}
	}
}

// Attribute returns the first attribute of a name, which is in lower case, among the attributes of a tag.
func Attribute(tag []byte, name string) string {
	for {
		key, value, more := attribute(&tag)
		if !more || ascii.EqualFold(key, name) {
			return html.UnescapeString(string(value))
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func trimSpace(b []byte) []byte { return bytes.TrimLeft(b, " \t\n\r\f") }
