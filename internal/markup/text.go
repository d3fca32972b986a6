package markup

import (
	"bytes"

	"golang.org/x/net/html"
)

// Plain returns the current text if it can be used as it is in the page, of which it is a part. It returns false if
// there may be something to resolve; then use AppendText.
func (s *Scanner) Plain() (text []byte, ok bool) {
	raw := s.Raw()
	if !s.literal && bytes.IndexByte(raw, '&') >= 0 || s.raw && bytes.IndexByte(raw, 0) >= 0 {
		return nil, false
	}
	return raw, true
}

// AppendText appends the current text with its character references resolved. Line ends stay as they are.
func (s *Scanner) AppendText(dst []byte) []byte {
	raw := s.Raw()
	for s.raw { // every NUL becomes the replacement character
		i := bytes.IndexByte(raw, 0)
		if i < 0 {
			break
		}
		dst = append(s.appendPart(dst, raw[:i]), "\uFFFD"...)
		raw = raw[i+1:]
	}
	return s.appendPart(dst, raw)
}

// TextBound estimates the number of bytes that AppendText appends. The estimate is rarely too small, and never by much.
func (s *Scanner) TextBound() int {
	n := len(s.Raw())
	if s.raw {
		n += 2 * bytes.Count(s.Raw(), []byte{0})
	}
	return n + n/4
}

func (s *Scanner) appendPart(dst, raw []byte) []byte {
	if s.literal {
		return append(dst, raw...)
	}
	return s.appendResolved(dst, raw, false)
}

// appendResolved appends s with its character references resolved.
func (s *Scanner) appendResolved(dst, text []byte, inAttribute bool) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(dst, text...)
		}
		dst, text = append(dst, text[:i]...), text[i:]
		n := referenceLen(text)
		dst = appendReference(dst, text[:n], inAttribute && n < len(text) && text[n] == '=', inAttribute)
		text = text[n:]
	}
}

// referenceLen returns the length of what may be a reference, or 1 if the & at the start of text cannot begin one.
func referenceLen(text []byte) int {
	i := 1
	if i < len(text) && text[i] == '#' {
		i++
	}
	for i < len(text) && (class[text[i]]&letter != 0 || '0' <= text[i] && text[i] <= '9') {
		i++
	}
	if i > 1 && i < len(text) && text[i] == ';' {
		i++
	}
	return i
}

// appendReference appends the characters of a character reference, or the reference itself if it is not a valid one. In
// an attribute, a name without a semicolon is not a reference if = follows it, or if only its beginning is the name of
// a character.
func appendReference(dst, ref []byte, beforeEquals, inAttribute bool) []byte {
	switch string(ref) {
	case "&":
		return append(dst, '&')
	case "&amp;":
		return append(dst, '&')
	case "&lt;":
		return append(dst, '<')
	case "&gt;":
		return append(dst, '>')
	case "&quot;", "&#34;":
		return append(dst, '"')
	case "&nbsp;":
		return append(dst, "\u00a0"...)
	case "&#39;", "&#x27;":
		return append(dst, '\'')
	}
	numeric := len(ref) > 1 && ref[1] == '#'
	if beforeEquals && !numeric && ref[len(ref)-1] != ';' {
		return append(dst, ref...)
	}
	is := html.UnescapeString(string(ref))
	if inAttribute && !numeric && is != ";" && is[len(is)-1] == ref[len(ref)-1] {
		is = string(ref) // only the beginning is a name, or nothing is
	}
	return append(dst, is...)
}
