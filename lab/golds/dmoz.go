package golds

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

func dmozFile(path string, to *rows) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return dmoz(f, to)
}

// dmoz reads the content dump of the Open Directory as a stream: ExternalPage elements with the URL in about and the
// category in topic or, in older dumps, in the Topic before them. The dumps contain control characters and invalid UTF-8,
// which XML forbids; both are replaced. Links between categories are not labels.
func dmoz(in io.Reader, to *rows) error {
	tidy := transform.Chain(runes.ReplaceIllFormed(), runes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}))
	x := xml.NewDecoder(transform.NewReader(in, tidy))
	x.Strict = false
	x.Entity = xml.HTMLEntity
	topic := ""
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := x.InputPos()
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		e, ok := token.(xml.StartElement)
		switch name := strings.ToLower(e.Name.Local); {
		case !ok:
		case name == "topic" && attr(e, "id") != "":
			topic = attr(e, "id")
		case name == "externalpage":
			page := struct {
				Topic string `xml:"topic"`
			}{topic}
			if err := x.DecodeElement(&page, &e); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			to.add(attr(e, "about"), strings.Split(page.Topic, "/"))
		}
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
