package text

import (
	"bytes"
	"strings"
)

// entitle gives a page without a title of its own the title that it has for other sites, or its first heading of level 1.
func (p *Parser) entitle() {
	own := p.doc.Title
	if !isNoTitle(own) {
		return
	}
	if other := []byte(p.doc.Meta.Title); !isNoTitle(other) {
		p.doc.Title = own[:0]
		p.doc.Title = bytes.TrimSpace(p.folded(other))
		return
	}
	for _, h := range p.doc.Heads {
		if h.Level == 1 && h.From < h.To {
			if line := p.doc.Text[p.doc.Words[h.From].From:p.doc.Words[h.To-1].To]; !isNoTitle(line) {
				own = append(own[:0], upTo(line, MaxTitle)...)
				p.doc.Title, p.doc.TitleIsHead = own, true
			}
			return
		}
	}
}

// isNoTitle reports whether a title is empty, or what a program writes for lack of one: a URL or a set word.
func isNoTitle(title []byte) bool {
	title = bytes.TrimSpace(title)
	if len(title) > 200 {
		return false
	}
	if bytes.IndexByte(title, ' ') < 0 && (bytes.Contains(title, []byte("://")) || bytes.HasPrefix(title, []byte("www."))) {
		return true
	}
	switch strings.ToLower(string(title)) {
	case "", "untitled", "untitled document", "untitled page", "no title", "new page 1", "new page", "document", "index", "index.html", "index.htm",
		"unbenanntes dokument", "document sans titre", "documento sin título", "documento senza titolo", "無題ドキュメント", "无标题文档":
		return true
	}
	return false
}

// Bounds of Headings.
const (
	mostHeadings = 4096
	mostHeading  = 120 // bytes
)

// Headings returns the headings, each as a line that begins with the digit of its level. Only the first ones are given, but
// none of them is left out, so that the index of a heading is the number of its line.
func (d *Doc) Headings() (lines []byte) {
	for _, h := range d.Heads[:min(len(d.Heads), mostHeadings)] {
		lines = append(lines, '0'+byte(h.Level))
		if to := min(int(h.To), len(d.Words)); int(h.From) < to {
			from, end := int(d.Words[h.From].From), int(d.Words[to-1].To)
			if from > 0 && d.Text[from-1] == '.' { // of .NET
				from--
			}
			for end < len(d.Text) && (d.Text[end] == '+' || d.Text[end] == '#') { // of C++ and C#
				end++
			}
			lines = append(lines, bytes.ReplaceAll(upTo(d.Text[from:end], mostHeading), []byte{'\n'}, []byte{' '})...)
		}
		lines = append(lines, '\n')
	}
	return lines
}
