package pipeline

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/run"
	"github.com/zeebo/xxh3"
)

// What the read stage leaves out is listed in run.DroppedList, a line of JSON each. Workers append lines to one file as
// they come, and sort where they stand: by file, record and place, so that the list is the same whoever wrote it.

// placed is the size of a key, numbers big-endian so that the bytes sort: the start of the file's name behind what all
// inputs have in common (44), its hash (8), record (8), offset (8), inner (8), hash of the line (8), and where it stands
// (8) with its length (4).
const (
	placedName = 44
	placed     = placedName + 52
)

// dropList is the file of lines of all workers.
type dropList struct {
	sorter *extsort.Sorter
	common int // bytes that the names of all inputs begin with

	mu   sync.Mutex
	file *os.File
	end  int64
}

func newDropList(b *build, dir string) (*dropList, error) {
	s, err := extsort.New(extsort.Config{Size: placed, Memory: b.memory / 32, Dir: dir, Workers: b.workers})
	if err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "dropped"))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &dropList{sorter: s, common: commonPrefix(b.inputs), file: f}, nil
}

func (l *dropList) close() error { return errors.Join(l.sorter.Close(), l.file.Close()) }

func commonPrefix(names []string) int {
	if len(names) == 0 {
		return 0
	}
	n := len(names[0])
	for _, name := range names[1:] {
		n = min(n, len(name))
		for !strings.HasPrefix(name, names[0][:n]) {
			n--
		}
	}
	return n
}

// write appends lines and gives the place of the first.
func (l *dropList) write(lines []byte) (at int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at = l.end
	n, err := l.file.Write(lines)
	l.end += int64(n)
	return at, err
}

// drops is what one worker leaves out: counted, and listed.
type drops struct {
	crawl.Ledger
	list  *dropList
	to    *extsort.Appender
	lines []byte // not yet in the list
	keys  []byte // of these, with places from the first of them on
}

// dropFlush is the number of bytes that a worker collects before it writes them.
const dropFlush = 64 << 10

func (l *dropList) drops() drops { return drops{list: l, to: l.sorter.Appender()} }

// add counts and lists a *crawl.Skip. It returns any other error as it is, and those of writing.
func (d *drops) add(err error) error { return d.note(err, false) }

// page does so for what was wrong with a page that was kept.
func (d *drops) page(p *crawl.Page) error {
	for _, w := range p.Warnings {
		if err := d.note(w, true); err != nil {
			return err
		}
	}
	return nil
}

func (d *drops) note(err error, kept bool) error {
	if little := (*crawl.MemoryError)(nil); errors.As(err, &little) { // not for being damaged
		return little
	}
	var s *crawl.Skip
	if !errors.As(err, &s) {
		return err
	}
	d.Add(s)
	row := run.DroppedRow{
		Reason: string(s.Reason), Damage: s.Reason.Damage(), Kept: kept || s.Reason == crawl.ReasonOneMember,
		File: strings.ToValidUTF8(s.Pos.File, "\uFFFD"), Offset: s.Pos.Offset, Inner: s.Pos.Inner, Record: s.Pos.Record, URL: s.URL, Detail: s.Detail(),
	}
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	d.key(s.Pos, line)
	d.lines = append(append(d.lines, line...), '\n')
	if len(d.lines) < dropFlush {
		return nil
	}
	return d.flush()
}

func (d *drops) key(at crawl.Position, line []byte) {
	var name [placedName]byte
	copy(name[:], at.File[min(d.list.common, len(at.File)):])
	be := binary.BigEndian
	d.keys = append(d.keys, name[:]...)
	for _, n := range [...]uint64{xxh3.HashString(at.File), uint64(at.Record), uint64(at.Offset), uint64(at.Inner), xxh3.Hash(line), uint64(len(d.lines))} {
		d.keys = be.AppendUint64(d.keys, n)
	}
	d.keys = be.AppendUint32(d.keys, uint32(len(line)+1))
}

func (d *drops) flush() error {
	at, err := d.list.write(d.lines)
	if err != nil {
		return err
	}
	be := binary.BigEndian
	for k := range bytesOf(d.keys, placed) {
		place := k[placed-12 : placed-4]
		be.PutUint64(place, be.Uint64(place)+uint64(at))
		if err := d.to.Append(k); err != nil {
			return err
		}
	}
	d.lines, d.keys = d.lines[:0], d.keys[:0]
	return nil
}

// bytesOf cuts b into parts of n bytes.
func bytesOf(b []byte, n int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for ; len(b) >= n; b = b[n:] {
			if !yield(b[:n]) {
				return
			}
		}
	}
}

// close ends the part of this worker.
func (d *drops) close() error { return errors.Join(d.flush(), d.to.Close()) }

// writeDropped writes the list in order.
func (b *build) writeDropped(ctx context.Context, l *dropList) error {
	f, err := os.Create(b.dir.Temp(run.DroppedList))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return cmp.Or(b.writeLines(ctx, l, w), w.Flush(), f.Close())
}

func (b *build) writeLines(ctx context.Context, l *dropList, w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	var line []byte
	err = records(ctx, l.sorter, func(k []byte) error {
		be := binary.BigEndian
		n, at := int(be.Uint32(k[placed-4:])), int64(be.Uint64(k[placed-12:]))
		line = append(line[:0], make([]byte, n)...)
		if _, err := l.file.ReadAt(line, at); err != nil {
			return fmt.Errorf("%s: %w", l.file.Name(), err)
		}
		if n == 0 || line[n-1] != '\n' || xxh3.Hash(line[:n-1]) != be.Uint64(k[placed-20:]) {
			return &framed.Error{File: l.file.Name(), Offset: at, What: "the line does not have its hash"}
		}
		_, err := z.Write(line)
		return err
	})
	return errors.Join(err, z.Close())
}
