package extsort

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/internal/huge"
)

// kickLocked starts a worker if there is work for one more.
func (s *Sorter) kickLocked() {
	for work := s.workLocked(); work > 0 && s.busy < s.c.Workers; work-- {
		s.busy++
		s.workers.Go(s.work)
	}
}

// workLocked returns how many buffers wait to be sorted or written.
func (s *Sorter) workLocked() int {
	if s.spilling && !s.sealed {
		return len(s.unsorted) + len(s.sorted)
	}
	return len(s.unsorted)
}

// work sorts and spills buffers until there is nothing to do. Writing has priority because it frees memory.
func (s *Sorter) work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && s.workLocked() > 0 {
		if s.spilling && !s.sealed && len(s.sorted) > 0 {
			s.spillOneLocked()
		} else {
			s.sortOneLocked()
		}
		s.changed.Broadcast()
	}
	s.busy--
	s.changed.Broadcast()
}

// sortOneLocked sorts a buffer. It releases the lock while it sorts.
func (s *Sorter) sortOneLocked() {
	b, scratch := pop(&s.unsorted), []byte(nil)
	workers := 1
	if s.sealed && s.made == 1 { // it is the only buffer
		workers = s.c.Workers
	}
	if len(s.scratch) > 0 {
		scratch = pop(&s.scratch)
	}
	s.mu.Unlock()
	if len(scratch) < len(b) {
		scratch = huge.Bytes(len(b))
	}
	s.kernel.sort(b, scratch, workers)
	if s.c.Unique {
		b = s.kernel.unique(b, s.c.Key)
	}
	s.mu.Lock()
	s.scratch = append(s.scratch, scratch)
	s.sorted = append(s.sorted, b)
}

// spillOneLocked writes a sorted buffer. It releases the lock while it writes.
func (s *Sorter) spillOneLocked() {
	b := pop(&s.sorted)
	f, err := s.fileLocked()
	if err != nil {
		s.err = err
		return
	}
	s.mu.Unlock()
	r, err := f.writeRun(b, s.layout.block)
	s.mu.Lock()
	if err != nil {
		s.err = cmp.Or(s.err, err)
		return
	}
	s.runs = append(s.runs, r)
	s.free = append(s.free, b[:0])
}

// fileLocked returns the file for runs made from buffers.
func (s *Sorter) fileLocked() (*spill, error) {
	if len(s.files) > 0 {
		return s.files[0], nil
	}
	return s.newFileLocked()
}

func (s *Sorter) newFileLocked() (*spill, error) {
	f, err := s.create(s.c.Dir)
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, &spill{f: f})
	return s.files[len(s.files)-1], nil
}

func pop(list *[][]byte) []byte {
	n := len(*list) - 1
	b := (*list)[n]
	*list = (*list)[:n]
	return b
}

// Appender adds records to a Sorter. Each goroutine needs its own Appender, which holds at most 64 KiB.
type Appender struct {
	s      *Sorter
	block  []byte
	closed bool
}

// Appender returns a new Appender. The caller must close it before Each.
func (s *Sorter) Appender() *Appender {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.appenders++
	return &Appender{s: s, block: make([]byte, 0, s.layout.batch)}
}

// Append adds a copy of one record of Config.Size bytes. It waits while the memory is full. The error may be that of an
// earlier record.
func (a *Appender) Append(rec []byte) error {
	if len(rec) != a.s.c.Size || a.closed {
		return a.misuse(len(rec))
	}
	if len(a.block) == cap(a.block) {
		if err := a.Flush(); err != nil {
			return err
		}
	}
	n := len(a.block)
	a.block = a.block[:n+a.s.layout.stride] // beyond the size are zeros, since nothing else is ever written there
	put(a.block[n:], rec)
	return nil
}

// put copies rec to the start of dst. For short records it is faster than copy.
func put(dst, rec []byte) {
	if len(rec) < 8 || len(rec) > 32 {
		copy(dst, rec)
		return
	}
	last := binary.NativeEndian.Uint64(rec[len(rec)-8:])
	binary.NativeEndian.PutUint64(dst[len(rec)-8:], last)
	for ; len(rec) > 8; dst, rec = dst[8:], rec[8:] {
		binary.NativeEndian.PutUint64(dst, binary.NativeEndian.Uint64(rec))
	}
}

// AppendAll adds records stored without gaps. len(recs) must be a multiple of Config.Size.
func (a *Appender) AppendAll(recs []byte) error {
	size := a.s.c.Size
	if len(recs)%size != 0 || a.closed {
		return a.misuse(len(recs))
	}
	for len(recs) > 0 && size == a.s.layout.stride {
		if len(a.block) == cap(a.block) {
			if err := a.Flush(); err != nil {
				return err
			}
		}
		n := min(len(recs), cap(a.block)-len(a.block))
		a.block = append(a.block, recs[:n]...)
		recs = recs[n:]
	}
	for ; len(recs) > 0; recs = recs[size:] {
		if err := a.Append(recs[:size]); err != nil {
			return err
		}
	}
	return nil
}

func (a *Appender) misuse(n int) error {
	if a.closed {
		return fmt.Errorf("%w: Append after Close", ErrState)
	}
	return fmt.Errorf("extsort: %d bytes appended, records have %d", n, a.s.c.Size)
}

// Flush passes the appended records to the Sorter.
func (a *Appender) Flush() error {
	err := a.s.add(a.block)
	a.block = a.block[:0]
	return err
}

// Close flushes the Appender. Nothing can be appended afterwards. A second call does nothing.
func (a *Appender) Close() error {
	if a.closed {
		return nil
	}
	err := a.Flush()
	a.closed, a.block = true, nil
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	a.s.appenders--
	return err
}

// add copies packed records of stride bytes into the buffer being filled.
func (s *Sorter) add(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(b) > 0 {
		if err := s.roomLocked(); err != nil {
			return err
		}
		n := min(len(b), cap(s.current)-len(s.current))
		s.current = append(s.current, b[:n]...)
		b = b[n:]
	}
	return s.err
}

// roomLocked makes sure that the current buffer has room, or returns an error.
func (s *Sorter) roomLocked() error {
	for s.err == nil {
		switch {
		case s.current != nil && len(s.current) < cap(s.current):
			return nil
		case s.current != nil && cap(s.current) < s.layout.buffer:
			s.current = append(huge.Bytes(s.layout.round(min(growth*int64(cap(s.current)), int64(s.layout.buffer))))[:0], s.current...)
		case s.current != nil:
			s.unsorted = append(s.unsorted, s.current)
			s.current = nil
			s.kickLocked()
		case len(s.free) > 0:
			s.current = s.free[len(s.free)-1]
			s.free = s.free[:len(s.free)-1]
		case s.made < s.layout.buffers:
			n := int64(s.layout.buffer)
			if s.made++; s.made == 1 {
				n = min(n, firstBuffer)
			}
			s.current = huge.Bytes(s.layout.round(n))[:0]
		default: // the records do not fit: from now on sorted buffers go to disk
			s.spilling = true
			s.kickLocked()
			s.changed.Wait()
		}
	}
	return s.err
}
