package tables

import (
	"bytes"

	"github.com/lshclust/lshclust/internal/mapped"
)

// headingsWriter writes the headings of the pages: the texts and levels of all, and where those of each row begin.
type headingsWriter struct {
	text  *mapped.StringsWriter
	level *mapped.Section
	first *mapped.OffsetsWriter
	n     uint64
}

func createHeadings(w *mapped.Writer) headingsWriter {
	h := headingsWriter{text: w.PackedStrings("heading"), level: w.Side("heading-level", 1), first: w.Offsets("heading-first")}
	h.first.U64(0)
	return h
}

// add adds the headings of the next row, as text.Doc.Headings returns them.
func (w *headingsWriter) add(lines []byte) {
	for line := range bytes.Lines(lines) {
		w.level.Bytes(line[:1])
		w.text.Add(string(bytes.TrimSuffix(line[1:], []byte("\n"))))
		w.n++
	}
	w.first.U64(w.n)
}

// headings reads what a headingsWriter has written.
type headings struct {
	text  mapped.Strings
	level column8
	first mapped.Offsets
}

func (r *reader) headings() headings {
	return headings{r.strings("heading"), r.u8("heading-level"), r.offsets("heading-first")}
}

func (h headings) fit(rows int) bool { return h.text.Len() == h.level.Len() && h.first.Len() == rows+1 }

// Trail returns the headings of a page under which a link is, from the nearest up, given the heading of its quote. It returns
// none if they are not known.
func (d *Documents) Trail(id uint32, head int) (trail []string) {
	from, to := d.span("heading-first", d.headings.first, d.row(id), d.headings.text.Len())
	if head < 1 || head > to-from {
		return nil
	}
	level := byte('7')
	for i := from + head - 1; i >= from && level > '1'; i-- {
		if l := d.headings.level.At(i); l < level {
			trail, level = append(trail, d.headings.text.At(i)), l
		}
	}
	return trail
}
