package gold

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/urls"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// readDMOZ reads the content dump of the Open Directory (content.rdf.u8) as a stream: ExternalPage elements with the
// URL in about and the category in topic, or, in older dumps, in the Topic before them. The dumps contain control
// characters and invalid UTF-8, which XML forbids. readDMOZ replaces both as it reads.
//
// Links between categories are not labels. Narrow and symbolic links make one category part of another. If such links
// form a cycle, the link that closes it is counted as CategoryCycle.
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
	d := &dmoz{gold: &Gold{Name: name}, file: name, rules: rules, xml: x, links: newCategoryLinks()}
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
	d.links.cycles(func(line int, what string) { d.gold.skip(CategoryCycle, name, line, what) })
	return d.gold, nil
}

// dmoz is the state of reading a dump, with the current Topic or, between two, the last one.
type dmoz struct {
	gold  *Gold
	file  string
	rules *urls.Rules
	xml   *xml.Decoder
	links *categoryLinks

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
	case strings.HasPrefix(name, "narrow"), strings.HasPrefix(name, "symbolic"):
		to := attr(e, "resource")
		if i := strings.LastIndexByte(to, ':'); i >= 0 { // symbolic links begin with the name under which they are shown
			to = to[i+1:]
		}
		if d.topic != "" && to != "" {
			d.links.add(d.topic, to, d.line())
		}
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

// categoryLinks holds the links that make one category part of another.
type categoryLinks struct {
	number map[string]int
	names  []string
	to     [][]categoryLink
}

type categoryLink struct{ to, line int }

func newCategoryLinks() *categoryLinks { return &categoryLinks{number: map[string]int{}} }

func (c *categoryLinks) add(from, to string, line int) {
	f := c.of(from)
	c.to[f] = append(c.to[f], categoryLink{c.of(to), line})
}

func (c *categoryLinks) of(name string) int {
	n, ok := c.number[name]
	if !ok {
		n = len(c.names)
		name = strings.Clone(name)
		c.number[name] = n
		c.names = append(c.names, name)
		c.to = append(c.to, nil)
	}
	return n
}

// cycles calls found for each link that leads back to a category on the path to it, in the order of a depth-first
// search from the first category.
func (c *categoryLinks) cycles(found func(line int, what string)) {
	const (
		unseen = iota
		open
		done
	)
	state, next := make([]uint8, len(c.names)), make([]int, len(c.names))
	for root := range c.names {
		if state[root] != unseen {
			continue
		}
		way := []int{root}
		state[root] = open
		for len(way) > 0 {
			at := way[len(way)-1]
			if next[at] == len(c.to[at]) {
				state[at] = done
				way = way[:len(way)-1]
				continue
			}
			l := c.to[at][next[at]]
			next[at]++
			switch state[l.to] {
			case open:
				found(l.line, fmt.Sprintf("%s leads back to %s", c.names[at], c.names[l.to]))
			case unseen:
				state[l.to] = open
				way = append(way, l.to)
			}
		}
	}
}
