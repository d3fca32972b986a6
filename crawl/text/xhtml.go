package text

import "bytes"

// An XHTML page is XML: <title/> and <script/> are empty elements, and the content of a CDATA section is text. A page is
// read so if its media type says it (see Parser.XHTML), or if it begins with an XML declaration and has the namespace. The
// rest is read as HTML, so that damaged pages are read too.

const xhtmlNamespace = "http://www.w3.org/1999/xhtml"

// isXHTML reports whether a page begins with an XML declaration and has the namespace of XHTML.
func isXHTML(page []byte) bool {
	page = bytes.TrimLeft(page[:min(len(page), 1024)], "\ufeff \t\r\n")
	return bytes.HasPrefix(page, []byte("<?xml")) && bytes.Contains(page, []byte(xhtmlNamespace))
}

// empty handles an empty element of XHTML. Only those that hide what follows in HTML differ from start tags.
func (p *Parser) empty(tag *element) {
	p.scan.NextIsNotRawText()
	if p.skip > 0 || tag.kind == hidden && tag != inFrame || tag.kind == title {
		return
	}
	if tag == inFrame {
		p.bareLink("src")
		return
	}
	p.start(tag, true)
	p.skip = 0
}
