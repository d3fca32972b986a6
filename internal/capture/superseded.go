package capture

import "encoding/binary"

// NoteSize is the size in bytes of the note of a capture.
const NoteSize = 8 + OrderSize + 8

// AppendNote appends the note of a capture to dst: the hash of its URL, its order and its number, big-endian. Sorted
// notes have the captures of a URL together, with the winners first.
func AppendNote(dst []byte, url uint64, order Order, number Number) []byte {
	dst = order.Append(binary.BigEndian.AppendUint64(dst, url))
	return binary.BigEndian.AppendUint64(dst, uint64(number))
}

// Contest finds the captures that another capture of the same URL supersedes. Captures of pages and captures that give
// links without the page compete separately. The zero value is ready to use.
type Contest struct {
	Several int64 // URLs with several captures, not counting rendered text
	ByOrder int64 // how many of these were decided by the order of inputs and records, because of equal times

	url    uint64
	begun  bool
	rivals [2]rivalry // captures of pages, captures of links
}

// rivalry follows the captures of one URL and one kind, the winner first.
type rivalry struct {
	winner Order
	number Number
	begun  bool
	rivals bool // there is another capture, not counting rendered text
	equal  bool // of the same time as the winner
}

// Add takes the next note, in ascending order. It returns the encoded number of the capture and whether the capture is
// superseded and, if so, whether it is rendered text that accompanies a page. The rows of one capture may have a note
// each.
func (c *Contest) Add(note []byte) (number []byte, superseded, rendered bool) {
	if url := binary.BigEndian.Uint64(note); !c.begun || url != c.url {
		c.End()
		c.url, c.begun = url, true
	}
	order, number := DecodeOrder(note[8:]), note[8+OrderSize:NoteSize]
	n := Number(binary.BigEndian.Uint64(number))
	v := &c.rivals[0]
	if n&linksMark != 0 {
		v = &c.rivals[1]
	}
	superseded = v.loses(order, n)
	return number, superseded, order.isRendered() && !v.winner.isRendered()
}

// loses reports whether a capture is not the winner.
func (v *rivalry) loses(order Order, number Number) bool {
	if !v.begun {
		*v = rivalry{winner: order, number: number, begun: true}
		return false
	}
	if number == v.number { // another row of the winner
		return false
	}
	if !v.rivals && (!order.isRendered() || v.winner.isRendered()) {
		v.rivals, v.equal = true, order.Millis == v.winner.Millis
	}
	return true
}

// End counts the last URL. Call it after the last note.
func (c *Contest) End() {
	if c.rivals[0].rivals || c.rivals[1].rivals {
		c.Several++
	}
	if c.rivals[0].equal || c.rivals[1].equal {
		c.ByOrder++
	}
	c.rivals = [2]rivalry{}
}
