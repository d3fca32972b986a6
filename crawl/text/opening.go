package text

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of an opening, in bytes.
const (
	mostOpening = 300
	leastLine   = 60 // shorter lines are headings, menus and dates
)

// Opening returns the beginning of what the page says: its first long lines that are not mostly links, after the first
// heading of level 1 if there are such lines after it. The result may be empty, and takes the memory of buffer if it can.
func (d *Doc) Opening(buffer []byte) []byte {
	for _, h := range d.Heads {
		if h.Level == 1 && int(h.To) <= len(d.Words) && h.From < h.To {
			if opening := d.openingFrom(buffer[:0], int(d.Words[h.To-1].To)); len(opening) > 0 {
				return opening
			}
			break
		}
	}
	return d.openingFrom(buffer[:0], 0)
}

// openingFrom appends the opening of the text from a byte on.
func (d *Doc) openingFrom(opening []byte, at int) []byte {
	link := 0 // the first one that may be in the line
	for at < len(d.Text) && len(opening) < mostOpening {
		end := len(d.Text)
		if i := bytes.IndexByte(d.Text[at:], '\n'); i >= 0 {
			end = at + i
		}
		line, linked := d.Text[at:end], 0
		for link < len(d.Links) && int(d.Links[link].EndByte) < at {
			link++
		}
		for _, l := range d.Links[link:] {
			if int(l.Byte) >= end {
				break
			}
			linked += max(0, min(end, int(l.EndByte))-max(at, int(l.Byte)))
		}
		if len(line) >= leastLine && 2*linked <= len(line) {
			if len(opening) > 0 {
				opening = append(opening, ' ')
			}
			opening = append(opening, line[:min(len(line), mostOpening+1)]...)
		}
		at = end + 1
	}
	if len(opening) <= mostOpening {
		return opening
	}
	opening = opening[:mostOpening]
	if i := bytes.LastIndexByte(opening, ' '); i > mostOpening/2 {
		return append(opening[:i], "…"...)
	}
	for !utf8.RuneStart(opening[len(opening)-1]) {
		opening = opening[:len(opening)-1]
	}
	return append(opening[:len(opening)-1], "…"...)
}
