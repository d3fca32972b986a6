package gold

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// readDMOZ reads the content dump of the Open Directory (content.rdf.u8) as a stream: ExternalPage elements with the
// URL in about and the category in topic or, in older dumps, in the Topic before them. The dumps contain control
// characters and invalid UTF-8, which XML forbids; readDMOZ replaces both as it reads. Links between categories are not
// labels.
func readDMOZ(in io.Reader, name string, rules *urls.Rules) (*Gold, error) {
	tidy := transform.Chain(runes.ReplaceIllFormed(), runes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}))
	x := xml.NewDecoder(transform.NewReader(in, tidy))
	x.Strict = false
	x.Entity = xml.HTMLEntity
	d := &dmoz{gold: &Gold{Name: name}, file: name, rules: rules, xml: x}
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.gold.skip(BadRow, name, d.line(), err.Error())
			break // an XML decoder cannot continue after an error
		}
		if start, ok := token.(xml.StartElement); ok {
			d.element(start)
		}
	}
	d.topicEnds()
	return d.gold, nil
}

// dmoz is the state of reading a dump. It holds the current Topic or, between two Topics, the last one.
type dmoz struct {
	gold  *Gold
	file  string
	rules *urls.Rules
	xml   *xml.Decoder

	topic     string
	topicLine int
	pages     int // pages in the topic

	last string // category of the last page
	path []string
}

func (d *dmoz) line() int {
	line, _ := d.xml.InputPos()
	return line
}

func (d *dmoz) element(e xml.StartElement) {
	switch name := strings.ToLower(e.Name.Local); {
	case name == "topic" && attr(e, "id") != "":
		d.topicEnds()
		d.topic, d.topicLine, d.pages = attr(e, "id"), d.line(), 0
	case name == "externalpage":
		d.page(e)
	case strings.HasPrefix(name, "link"), strings.HasPrefix(name, "rss"), strings.HasPrefix(name, "atom"), strings.HasPrefix(name, "pdf"):
		d.pages++
	}
}

// page reads an ExternalPage to its end.
func (d *dmoz) page(e xml.StartElement) {
	var inside struct {
		Topic string `xml:"topic"`
	}
	line := d.line()
	if err := d.xml.DecodeElement(&inside, &e); err != nil {
		d.gold.skip(BadRow, d.file, line, err.Error())
		return
	}
	topic := inside.Topic
	if topic == "" {
		topic = d.topic
	}
	d.pages++
	if topic != d.last { // the pages of a category are adjacent and share its path
		d.last, d.path = topic, levels(withoutTop(strings.Split(topic, "/")))
	}
	d.gold.add(trim(attr(e, "about")), d.path, d.file, line, d.rules)
}

// topicEnds counts the topic if it has no pages.
func (d *dmoz) topicEnds() {
	if d.topic != "" && d.topic != "Top" && d.pages == 0 {
		d.gold.skip(EmptyCategory, d.file, d.topicLine, d.topic)
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// withoutTop removes the root category, which all paths have.
func withoutTop(path []string) []string {
	if len(path) > 0 && path[0] == "Top" {
		return path[1:]
	}
	return path
}
