package mapped

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

const (
	bufferSize     = 1 << 20
	sideBufferSize = 1 << 16
)

// Writer writes one file. Errors are sticky: after the first one, every call
// does nothing and Close returns it, so a caller who only appends need look at
// Close alone. A Writer is not safe for concurrent use.
type Writer struct {
	path     string
	kind     string
	head     []byte
	out      *sink
	current  *Section
	sections []Info
	sums     []byte // of their blocks
	sides    []*Section
	names    map[string]bool
	err      error
	closed   bool
}

// output is what the writer needs of a file; tests put a failing one in its place.
type output interface {
	io.Writer
	Sync() error
	Close() error
}

// create opens a new temporary file.
var create = func(path string) (output, error) { return os.Create(path) }

// Create starts the file path of the given kind (1 to 8 bytes of ASCII) and
// version under the temporary name path+".tmp". It appears as path on Close.
func Create(path, kind string, version uint32) (*Writer, error) {
	if err := checkName("kind", kind, kindSize); err != nil {
		return nil, err
	}
	f, err := create(path + ".tmp")
	if err != nil {
		return nil, err
	}
	w := &Writer{path: path, kind: kind, head: header(kind, version), names: map[string]bool{}}
	w.out = newSink(f, bufferSize)
	w.fail(w.out.write(w.head))
	return w, nil
}

// Section ends the section before and starts the next one, of elements of
// elemSize bytes. The one it returns is valid until the next call of Section or
// Close.
func (w *Writer) Section(name string, elemSize int) *Section {
	w.endSection()
	s := w.newSection(name, elemSize, w.out)
	if w.err != nil {
		return s
	}
	s.info.Offset = w.out.offset()
	w.out.startSums()
	w.current = s
	return s
}

// Side starts a section that is collected in a temporary file of its own and
// appended on Close, after the streamed sections and in the order of the calls of
// Side. It may be written at the same time as other sections: offsets into a
// section of strings, for example, while the strings stream.
func (w *Writer) Side(name string, elemSize int) *Section {
	s := w.newSection(name, elemSize, nil)
	if w.err != nil {
		return s
	}
	f, err := create(w.sidePath(name))
	if err != nil {
		w.fail(err)
		return s
	}
	s.out = newSink(f, sideBufferSize)
	w.sides = append(w.sides, s)
	return s
}

func (w *Writer) sidePath(name string) string { return w.path + "." + name + ".tmp" }

func (w *Writer) newSection(name string, elemSize int, out *sink) *Section {
	err := checkName("section", name, nameSize)
	switch {
	case err != nil:
	case w.closed:
		err = ErrClosed
	case filepath.Base(name) != name:
		err = fmt.Errorf("mapped: section %q: a name must not hold a path separator", name)
	case elemSize < 1 || elemSize > 1<<20:
		err = fmt.Errorf("mapped: section %q: element size %d", name, elemSize)
	case w.names[name]:
		err = fmt.Errorf("mapped: section %q is there already", name)
	case len(w.names) == maxSections:
		err = fmt.Errorf("mapped: section %q: more than %d sections", name, maxSections)
	}
	w.fail(err)
	w.names[name] = true
	return &Section{w: w, out: out, info: Info{Name: name, ElemSize: elemSize}}
}

// endSection writes the padding after the current section and notes its line.
func (w *Writer) endSection() {
	s := w.current
	if s == nil {
		return
	}
	w.current = nil
	s.sums = w.out.endSums()
	w.finish(s)
	s.out = nil
}

// finish checks the length of a section that is in the main file, pads it and
// records it.
func (w *Writer) finish(s *Section) {
	s.info.Length = w.out.offset() - s.info.Offset
	if s.info.Length%int64(s.info.ElemSize) != 0 {
		w.fail(fmt.Errorf("mapped: %s: section %q: %d bytes are no whole number of %d-byte elements",
			w.path, s.info.Name, s.info.Length, s.info.ElemSize))
	}
	w.pad()
	s.info.CRC = crc32.Checksum(s.sums, castagnoli)
	w.sections, w.sums = append(w.sections, s.info), append(w.sums, s.sums...)
}

// pad writes zero bytes up to a multiple of 8.
func (w *Writer) pad() {
	w.fail(w.out.write(make([]byte, align(w.out.offset())-w.out.offset())))
}

// Close appends the side sections, the sums and the footer, syncs, and gives the file its
// final name. After an error no file is left behind, under either name.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.endSection()
	for _, s := range w.sides {
		w.fail(w.appendSide(s))
	}
	if w.err == nil {
		w.fail(w.out.write(w.sums))
		w.pad()
		w.fail(w.out.write(footer(w.head, w.sections)))
		w.fail(w.out.flush())
	}
	if w.err == nil {
		w.fail(w.out.f.Sync())
	}
	w.closed = true
	w.fail(w.out.f.Close())
	if w.err == nil {
		w.fail(os.Rename(w.path+".tmp", w.path))
	}
	w.removeTemporary()
	if w.err == nil {
		w.fail(syncDir(filepath.Dir(w.path)))
	}
	return w.err
}

// appendSide copies a side file behind what is there.
func (w *Writer) appendSide(s *Section) error {
	if w.err != nil {
		return w.err
	}
	if err := s.out.flush(); err != nil {
		return err
	}
	s.sums = s.out.endSums()
	s.info.Offset = w.out.offset()
	f, err := os.Open(w.sidePath(s.info.Name))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(w.out, f); err != nil {
		return err
	}
	if got := w.out.offset() - s.info.Offset; got != s.out.offset() {
		return fmt.Errorf("%s: %d bytes of %d came back: %w",
			w.sidePath(s.info.Name), got, s.out.offset(), ErrTruncated)
	}
	w.finish(s)
	return nil
}

// Abort gives up: closes and removes the temporary files. After Close it does
// nothing, so it may be deferred.
func (w *Writer) Abort() {
	if w.closed {
		return
	}
	w.closed = true
	w.fail(errors.New("mapped: " + w.path + ": aborted"))
	w.out.f.Close()
	w.removeTemporary()
}

func (w *Writer) removeTemporary() {
	if w.err != nil {
		os.Remove(w.path + ".tmp")
	}
	for _, s := range w.sides {
		if s.out != nil {
			s.out.f.Close()
			s.out = nil
		}
		os.Remove(w.sidePath(s.info.Name))
	}
}

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

func (w *Writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
