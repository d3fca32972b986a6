package run

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/framed"
)

// DropList collects what several workers leave out of a run, and writes [DroppedList]. The workers append lines to
// one file in any order, and the list sorts the places of the lines by file, record and offset, so that the result
// does not depend on who wrote what.
type DropList struct {
	sorter *extsort.Sorter // of keys
	inputs []string

	mu   sync.Mutex
	keys *extsort.Appender
	file *os.File
	end  int64
}

// A key consists of the start of the file's name without the common prefix (44 bytes), the hash of the name (8),
// record (8), offset (8), inner (8), hash of the line (8), and the place of the line (8) and its length (4). Numbers
// are big-endian, so that keys sort as bytes.
const (
	keyName = 44
	keySize = keyName + 52
)

// NewDropList returns an empty list whose files are in dir. The caller must close it.
func NewDropList(dir string, inputs []string, memory int64, workers int) (*DropList, error) {
	s, err := extsort.New(extsort.Config{Size: keySize, Memory: memory, Dir: dir, Workers: workers})
	if err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "dropped"))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &DropList{sorter: s, inputs: inputs, keys: s.Appender(), file: f}, nil
}

// Close closes the files.
func (l *DropList) Close() error { return errors.Join(l.sorter.Close(), l.file.Close()) }

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

// Append appends lines and their keys, as a Drops passes them. Several goroutines may call it at once.
func (l *DropList) Append(keys, lines []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.end
	n, err := l.file.Write(lines)
	l.end += int64(n)
	if err != nil {
		return err
	}
	be := binary.BigEndian
	for ; len(keys) >= keySize; keys = keys[keySize:] {
		key := keys[:keySize]
		place := key[keySize-12 : keySize-4]
		be.PutUint64(place, be.Uint64(place)+uint64(at))
		if err := l.keys.Append(key); err != nil {
			return err
		}
	}
	return nil
}

// Drops collects what one worker leaves out. It counts everything in the ledger and adds it to the list, except for
// reasons that are added to the ledger alone.
type Drops struct {
	crawl.Ledger
	common int // length of the common prefix of the names of all inputs
	put    func(keys, lines []byte) error
	lines  []byte // not yet passed to put
	keys   []byte // keys of these lines; the places are relative to the first line
}

// flushDrops is the number of bytes of lines that a worker collects before writing them.
const flushDrops = 64 << 10

// NewDrops returns an empty Drops for one worker. It passes lines to put, with their keys for [DropList.Append]. The
// worker must call Flush at the end.
func NewDrops(inputs []string, put func(keys, lines []byte) error) Drops {
	return Drops{common: commonPrefix(inputs), put: put}
}

// Drops returns an empty Drops that passes its lines to the list.
func (l *DropList) Drops() Drops { return NewDrops(l.inputs, l.Append) }

// Add counts and lists a *crawl.Skip. It returns other errors unchanged, and its own errors.
func (d *Drops) Add(err error) error { return d.add(err, false) }

// AddPage counts and lists the warnings of a page that was kept.
func (d *Drops) AddPage(p *crawl.Page) error {
	for _, w := range p.Warnings {
		if err := d.add(w, true); err != nil {
			return err
		}
	}
	return nil
}

func (d *Drops) add(err error, kept bool) error {
	if little := (*crawl.MemoryError)(nil); errors.As(err, &little) { // the input is not damaged
		return little
	}
	var s *crawl.Skip
	if !errors.As(err, &s) {
		return err
	}
	if s.Passing() {
		return fmt.Errorf("%w: the input is not damaged, so repeat the command to continue", s)
	}
	d.Ledger.Add(s)
	row := DroppedRow{
		Reason: string(s.Reason), Damage: s.Reason.Damage(), Kept: kept || s.Reason == record.ReasonOneMember,
		File: strings.ToValidUTF8(s.Pos.File, "\uFFFD"), Offset: s.Pos.Offset, Inner: s.Pos.Inner, Record: s.Pos.Record, URL: s.URL, Detail: s.Detail(),
	}
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	d.key(s.Pos, line)
	d.lines = append(append(d.lines, line...), '\n')
	if len(d.lines) < flushDrops {
		return nil
	}
	return d.Flush()
}

func (d *Drops) key(at crawl.Position, line []byte) {
	var name [keyName]byte
	copy(name[:], at.File[min(d.common, len(at.File)):])
	be := binary.BigEndian
	d.keys = append(d.keys, name[:]...)
	for _, n := range [...]uint64{xxh3.HashString(at.File), uint64(at.Record), uint64(at.Offset), uint64(at.Inner), xxh3.Hash(line), uint64(len(d.lines))} {
		d.keys = be.AppendUint64(d.keys, n)
	}
	d.keys = be.AppendUint32(d.keys, uint32(len(line)+1))
}

// Flush passes on the lines that are in memory.
func (d *Drops) Flush() error {
	if len(d.lines) == 0 {
		return nil
	}
	err := d.put(d.keys, d.lines)
	d.lines, d.keys = d.lines[:0], d.keys[:0]
	return err
}

// Write writes the list to path, in order. All workers must have flushed their Drops.
func (l *DropList) Write(ctx context.Context, path string) error {
	if err := l.keys.Close(); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = l.writeLines(ctx, w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

func (l *DropList) writeLines(ctx context.Context, w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	var line []byte
	err = l.sorter.Each(ctx, func(key []byte) (err error) {
		if line, err = l.line(key, line); err == nil {
			_, err = z.Write(line)
		}
		return err
	})
	return errors.Join(err, z.Close())
}

// line reads the line of a key, using buf if it fits.
func (l *DropList) line(key, buf []byte) ([]byte, error) {
	be := binary.BigEndian
	n, at := int(be.Uint32(key[keySize-4:])), int64(be.Uint64(key[keySize-12:]))
	line := slices.Grow(buf[:0], n)[:n]
	if _, err := l.file.ReadAt(line, at); err != nil {
		return nil, fmt.Errorf("%s: %w", l.file.Name(), err)
	}
	if n == 0 || line[n-1] != '\n' || xxh3.Hash(line[:n-1]) != be.Uint64(key[keySize-20:]) {
		return nil, &framed.Error{File: l.file.Name(), Offset: at, What: "the line does not have its hash"}
	}
	return line, nil
}

// DroppedList is the name of a compressed file of JSON lines. It has a DroppedRow for each part of the input that was
// left out and for each page of which only a part was kept, in order of file and position. It does not list dropped
// links; the manifest counts them.
const DroppedList = "dropped.jsonl.gz"

// DroppedRow is one line of DroppedList.
type DroppedRow struct {
	Reason string `json:"reason"`           // as in Dropped
	Damage bool   `json:"damage,omitempty"` // whether the input was unreadable there
	Kept   bool   `json:"kept,omitempty"`   // whether something was read anyway: a page that was cut, an archive in one member
	File   string `json:"file"`
	Offset int64  `json:"offset"` // bytes from the start of the file, or of its uncompressed stream if its records are lines
	Inner  int64  `json:"inner,omitempty"`
	Record int64  `json:"record,omitempty"` // number in the file, starting at 1
	URL    string `json:"url,omitempty"`    // the first 200 bytes
	Detail string `json:"detail,omitempty"`
}

// ReasonCommonShingle is the reason for shingles that occur in too many pages. The manifest has examples of them, but
// DroppedList has no lines.
const ReasonCommonShingle = "common-shingle"

// maxDroppedLine limits the length of a line that is read. Most systems limit file names to 4 KiB, which JSON may make
// six times as long.
const maxDroppedLine = 256 << 10

// ReadDropped returns the rows of the list at path in order. An error ends the iteration.
func ReadDropped(path string) iter.Seq2[DroppedRow, error] {
	return func(yield func(DroppedRow, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(DroppedRow{}, err)
			return
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReader(f))
		if err != nil {
			yield(DroppedRow{}, fmt.Errorf("%s: %w", path, err))
			return
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, maxDroppedLine)
		for n := 1; lines.Scan(); n++ {
			var row DroppedRow
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				yield(row, fmt.Errorf("%s: line %d: %w", path, n, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(DroppedRow{}, fmt.Errorf("%s: %w", path, err))
		}
	}
}

// checkDropped compares the list with the counts of the manifest. Reasons without an example are not listed.
func (r *Run) checkDropped(ctx context.Context) (what string, err error) {
	counts, rows := map[string]int64{}, int64(0)
	var last DroppedRow
	for row, err := range ReadDropped(r.Path(DroppedList)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", err
		}
		rows++
		if row.File == last.File && row.Record < last.Record {
			return "", fmt.Errorf("line %d: record %d of %s comes after record %d", rows, row.Record, row.File, last.Record)
		}
		counts[row.Reason]++
		last = row
	}
	for _, d := range r.Manifest.Dropped {
		if n := counts[d.Reason]; n != d.Count && (n > 0 || len(d.Examples) > 0 && d.Reason != ReasonCommonShingle) {
			return "", fmt.Errorf("%d lines for %s, the manifest counts %d", n, d.Reason, d.Count)
		}
		delete(counts, d.Reason)
	}
	for reason := range counts {
		return "", fmt.Errorf("lines for %q, which the manifest does not list", reason)
	}
	return fmt.Sprintf("%d lines, as the manifest counts", rows), nil
}
