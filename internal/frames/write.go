package frames

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Total counts what a stream holds of one file, or of all streams of a kind.
type Total struct {
	Name   string `json:"name"`
	Frames int64  `json:"frames"`
	Bytes  int64  `json:"bytes"`
}

// totals are the totals by name.
type totals map[string]*Total

func (t totals) add(f *Frame) {
	name := cmp.Or(f.Name, f.Kind.String())
	if t[name] == nil {
		t[name] = &Total{Name: name}
	}
	t[name].Frames++
	t[name].Bytes += int64(len(f.Data))
}

func (t totals) list() []Total {
	out := make([]Total, 0, len(t))
	for _, of := range t {
		out = append(out, *of)
	}
	slices.SortFunc(out, func(a, b Total) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Writer writes a stream. Only one goroutine may use it.
type Writer struct {
	to     io.Writer
	buf    []byte
	totals totals
}

// NewWriter begins a stream.
func NewWriter(to io.Writer) (*Writer, error) {
	_, err := to.Write(header())
	return &Writer{to: to, totals: totals{}}, err
}

// Write writes a frame.
func (w *Writer) Write(f *Frame) error {
	w.buf = f.append(w.buf[:0])
	w.totals.add(f)
	_, err := w.to.Write(w.buf)
	return err
}

// Close writes the end frame with the totals.
func (w *Writer) Close() error {
	body, err := json.Marshal(w.totals.list())
	if err != nil {
		return err
	}
	_, err = w.to.Write((&Frame{Kind: End, Part: Driver, Data: body}).append(nil))
	return err
}

// Blocks cuts what is written to it into the blocks of a file or stream.
type Blocks struct {
	w    *Writer
	next Frame
	sum  uint64
}

// Blocks begins a file or stream, which head describes with its kind, part, number, name and size.
func (w *Writer) Blocks(head Frame) *Blocks {
	head.Data, head.Offset = make([]byte, 0, min(BlockSize, head.Size)), 0
	return &Blocks{w: w, next: head}
}

// Write writes full blocks.
func (b *Blocks) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		took := min(len(p), BlockSize-len(b.next.Data))
		b.next.Data, p = append(b.next.Data, p[:took]...), p[took:]
		if len(b.next.Data) == BlockSize {
			if err := b.flush(); err != nil {
				return n - len(p), err
			}
		}
	}
	return n, nil
}

func (b *Blocks) flush() error {
	err := b.w.Write(&b.next)
	b.sum += uint64(b.next.sum)
	b.next.Offset, b.next.Data = b.next.Offset+uint64(len(b.next.Data)), b.next.Data[:0]
	return err
}

// Close writes the last block. It returns the sum of the checksums of all blocks, which does not depend on their order.
func (b *Blocks) Close() (sum uint64, err error) {
	if len(b.next.Data) > 0 || b.next.Size == 0 {
		err = b.flush()
	}
	if err == nil && b.next.Offset != b.next.Size {
		err = fmt.Errorf("%s: it has this size, not %d bytes", &b.next, b.next.Size)
	}
	return b.sum, err
}
