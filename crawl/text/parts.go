package text

import "github.com/lshclust/lshclust/internal/scratch"

// heading ends the open heading, if any, and begins one of the given level unless that is 0. A heading is a single
// line; blocks inside its element are not part of it.
func (p *Parser) heading(level int) {
	if p.inHead {
		p.inHead = false
		p.doc.Heads[len(p.doc.Heads)-1].To = uint32(len(p.doc.Words))
	}
	if level > 0 {
		n := uint32(len(p.doc.Words))
		above := len(p.doc.Heads) - 1
		for above >= 0 && p.doc.Heads[above].Level >= level {
			above = p.doc.Heads[above].Above
		}
		p.doc.Heads, p.inHead = scratch.Append(p.room, p.doc.Heads, Head{Level: level, Above: above, From: n, To: n}), true
	}
}

// mark notes where a preformatted text, a menu or a footer begins or ends.
func (p *Parser) mark(tag *element, begins bool) {
	var in *[]Head
	switch tag {
	case pre:
		in = &p.doc.Code
	case nav, footer:
		in = &p.doc.Frame
		inside := p.frames
		if begins {
			p.frames++
		} else {
			p.frames = max(0, p.frames-1)
		}
		if max(inside, p.frames) != 1 { // one in another, or an end tag too many
			return
		}
	default:
		return
	}
	at := uint32(len(p.doc.Words))
	switch n := len(*in); {
	case begins && n < MaxLinks:
		*in = append(*in, Head{From: at, To: at})
	case !begins && n > 0:
		(*in)[n-1].To = at
	}
}
