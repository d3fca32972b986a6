package text

import "bytes"

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
