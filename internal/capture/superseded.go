package capture

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// NoteSize is the size in bytes of the note of a capture.
const NoteSize = orderedNote + 16

const orderedNote = 8 + OrderSize + 8

// AppendNote appends the note of a capture to dst, big-endian: the hash of its URL, its order and its number, and what
// tells it apart. Sorted notes have the captures of a URL together, with the winners first.
func AppendNote(dst []byte, url uint64, order Order, number Number, tells Tells) []byte {
	dst = order.Append(binary.BigEndian.AppendUint64(dst, url))
	dst = binary.BigEndian.AppendUint64(dst, uint64(number))
	dst = binary.BigEndian.AppendUint32(dst, tells.Text)
	dst = binary.BigEndian.AppendUint32(dst, tells.Given)
	return binary.BigEndian.AppendUint64(dst, tells.Changes)
}

// Tells is what tells captures with one name apart. The zero value is that of a capture without a text.
type Tells struct {
	Text uint32 // hash of its text, not 0
	urls.Trace
}

// TextOf returns Tells.Text of the hash of a text.
func TextOf(hash uint64) uint32 { return max(1, uint32(hash)) }

// SameID stands for the rule where records with another text have the same id, which is not a URL.
const SameID = "id"

// JoinedBy returns what gives two captures with different texts the same name although they may be different pages: the
// rule that joins their URLs, or SameID if they have no URLs. It returns "" for captures of one URL.
func (t Tells) JoinedBy(u Tells) string {
	switch {
	case t.Text == u.Text || t.Text == 0 || u.Text == 0:
		return ""
	case t.Given == 0 && u.Given == 0:
		return SameID
	}
	return t.Trace.JoinedBy(u.Trace)
}

// Joiners lists all that [Tells.JoinedBy] may return.
func Joiners() (out []string) {
	for _, rule := range urls.AllRules() {
		out = append(out, rule.Name)
	}
	return append(out, SameID)
}

// OtherText says that n captures may be other pages than those that supersede them, and what to do. verb is "were" or
// "would be".
func OtherText(rule string, n int64, verb string) string {
	what := "pages"
	if rule == SameID {
		what = "records"
	}
	if n == 1 {
		what, verb = what[:len(what)-1], strings.Replace(verb, "were", "was", 1)
	}
	if rule == SameID {
		return fmt.Sprintf("%d %s with the same id and another text %s superseded: the ids are not URLs, and several records have the same; make them different",
			n, what, verb)
	}
	return fmt.Sprintf("%d %s with another text %s superseded under the same canonical URL: rule %s; --set url_rules=-%s keeps them apart",
		n, what, verb, rule, rule)
}

// Contest finds the captures that another capture of the same URL supersedes. Captures of pages and captures that give
// links without the page compete separately. The zero value is ready to use.
type Contest struct {
	Several int64            // URLs with several captures, not counting rendered text
	ByOrder int64            // how many of these were decided by the order of inputs and records, because of equal times
	Other   map[string]int64 // superseded captures that may be different pages, by [Tells.JoinedBy]

	Rendered int64 // rendered texts that accompany a page

	url    uint64
	begun  bool
	rivals [2]rivalry // captures of pages, captures of links
	shown  shown
}

// rivalry follows the captures of one URL and one kind, the winner first.
type rivalry struct {
	winner Order
	number Number
	tells  Tells
	begun  bool
	rivals bool // there is another capture, not counting rendered text
	equal  bool // of the same time as the winner
}

// Add takes the next note, in ascending order. It calls add with the number of each capture that is superseded, and with
// the number marked by [Number.OfText] of each rendered text that belongs to a winner. The rows of one capture may have a
// note each.
func (c *Contest) Add(note []byte, add func(Number) error) error {
	if url := binary.BigEndian.Uint64(note); !c.begun || url != c.url {
		if err := c.End(add); err != nil {
			return err
		}
		c.url, c.begun = url, true
	}
	order, number := DecodeOrder(note[8:]), Number(binary.BigEndian.Uint64(note[8+OrderSize:orderedNote]))
	v := &c.rivals[0]
	if number&linksMark != 0 {
		v = &c.rivals[1]
	}
	tells := decodeTells(note[orderedNote:])
	lost := v.loses(order, number, tells)
	switch {
	case !lost:
	case !order.isRendered():
		c.count(v, order, tells)
	case !v.winner.isRendered():
		c.Rendered++
		number, lost = c.shown.offer(v.winner, order, number)
	}
	if !lost {
		return nil
	}
	return add(number)
}

func decodeTells(b []byte) Tells {
	be := binary.BigEndian
	return Tells{be.Uint32(b), urls.Trace{Given: be.Uint32(b[4:]), Changes: be.Uint64(b[8:])}}
}

// count counts a superseded capture that may be another page. Records with one id are versions of one page if their
// times differ.
func (c *Contest) count(v *rivalry, order Order, tells Tells) {
	rule := v.tells.JoinedBy(tells)
	if rule == "" || rule == SameID && order.Millis != v.winner.Millis {
		return
	}
	if c.Other == nil {
		c.Other = map[string]int64{}
	}
	c.Other[rule]++
}

// loses reports whether a capture is not the winner.
func (v *rivalry) loses(order Order, number Number, tells Tells) bool {
	if !v.begun {
		*v = rivalry{winner: order, number: number, tells: tells, begun: true}
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
func (c *Contest) End(add func(Number) error) error {
	if c.rivals[0].rivals || c.rivals[1].rivals {
		c.Several++
	}
	if c.rivals[0].equal || c.rivals[1].equal {
		c.ByOrder++
	}
	text := c.shown
	c.rivals, c.shown = [2]rivalry{}, shown{}
	if !text.found {
		return nil
	}
	return add(text.number.OfText())
}

// ReasonRendered counts rendered text that is left out because each capture is its own document, and it is unknown to
// which of them the text belongs.
const ReasonRendered crawl.Reason = "rendered-text"

// renderedWithin is the greatest difference in milliseconds between the times of a rendered text and its page.
const renderedWithin = int64(24 * time.Hour / time.Millisecond)

// renderedTime is added to the time of rendered text, so that every other capture wins, and loadedTime in addition if
// scripts went on after that, so that the final text wins.
const (
	renderedTime = math.MinInt64 / 2
	loadedTime   = math.MinInt64 / 4
)

// OfRendered returns the order of a capture that is rendered text: every other capture of the URL wins over it.
func (a Order) OfRendered(at crawl.Rendering) Order {
	switch at {
	case record.NotRendered:
		return a
	case record.RenderedLoaded:
		a.Millis += loadedTime
	}
	a.Millis += renderedTime
	return a
}

func (a Order) isRendered() bool { return a.Millis < renderedTime/2 }
func (a Order) isLoaded() bool   { return a.Millis < renderedTime+loadedTime/2 }

// distance returns the milliseconds between a rendered text and a page.
func (a Order) distance(page Order) int64 {
	a.Millis -= renderedTime
	if a.Millis < loadedTime/2 {
		a.Millis -= loadedTime
	}
	return max(a.Millis-page.Millis, page.Millis-a.Millis)
}

// shown is the text that a browser rendered for the winner of a contest. People read that text, so it replaces the words
// of the page's HTML. A text belongs to the page of its URL if it was rendered within a day of the capture. If a URL has
// no other capture, the text is its page.
type shown struct {
	order  Order
	number Number
	found  bool
}

// offer takes a rendered text into account. It returns the text that does not belong to the page: that one, or an earlier
// one.
func (s *shown) offer(page, order Order, number Number) (lost Number, ok bool) {
	if order.distance(page) > renderedWithin || s.found && !order.belongs(s.order, page) {
		return number, true
	}
	lost, ok = s.number, s.found
	*s = shown{order, number, true}
	return lost, ok
}

// belongs reports whether text a belongs to a page rather than text b.
func (a Order) belongs(b, page Order) bool {
	if a.isLoaded() != b.isLoaded() {
		return b.isLoaded()
	}
	return cmp.Or(cmp.Compare(a.distance(page), b.distance(page)), a.Compare(b)) < 0
}
