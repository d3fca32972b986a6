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
	bufferSize     = 1 << 18
	sideBufferSize = 1 << 16
)

// Writer writes one file. It keeps the first error: from then on all calls do nothing, and Close returns the error.
// So a caller that only appends needs to check the error of Close only. A Writer is not safe for concurrent use.
type Writer struct {
	path     string
	head     []byte
	out      *sink
	current  *Section
	sections []Info
	sums     []byte     // of the blocks of the sections
	streams  []*Section // that begin late
	sides    []*Section
	offsets  []*OffsetsWriter
	packed   []*StringsWriter
	names    map[string]bool
	err      error
	closed   bool
	create   func(path string) (io.WriteCloser, error)
}

// Create starts the file path with a kind (1 to 8 bytes of ASCII) and a version. The file has the temporary name
// path+".tmp" until Close.
func Create(path, kind string, version uint32) *Writer {
	return newWriter(path, kind, version, func(path string) (io.WriteCloser, error) { return os.Create(path) })
}

// newWriter is Create with the function that creates files.
func newWriter(path, kind string, version uint32, create func(path string) (io.WriteCloser, error)) *Writer {
	w := &Writer{create: create, path: path, names: map[string]bool{}}
	if w.err = checkName("kind", kind, kindSize); w.err != nil {
		return w
	}
	f, err := create(path + ".tmp")
	if err != nil {
		w.err = err
		return w
	}
	w.head, w.out = header(kind, version), newSink(f, bufferSize)
	w.fail(w.out.write(w.head))
	return w
}

// Section starts a streamed section with elements of elemSize bytes. In the file it begins with its first element or that of a
// later streamed section, or with Close. It is valid until the next one begins.
func (w *Writer) Section(name string, elemSize int) *Section {
	s := w.newSection(name, elemSize)
	s.late = true
	w.streams = append(w.streams, s)
	return s
}

// startUpTo begins the streams up to one, or all.
func (w *Writer) startUpTo(last *Section) {
	for _, s := range w.streams {
		if s.late {
			w.start(s)
		}
		if s == last {
			return
		}
	}
}

// start begins a streamed section.
func (w *Writer) start(s *Section) {
	w.endSection()
	s.late = false
	if w.err != nil {
		return
	}
	s.out, s.info.Offset = w.out, w.out.offset()
	w.out.startSums()
	w.current = s
}

// Side starts a section that is collected separately, in memory or, if it is large, in a temporary file. Close
// appends it after the streamed sections, in the order of the calls of Side. It may be written at the same time as
// other sections: for example the offsets of strings while the strings are streamed.
func (w *Writer) Side(name string, elemSize int) *Section {
	s := w.newSection(name, elemSize)
	if w.err != nil {
		return s
	}
	s.out = newSink(&sideFile{create: w.create, path: w.sidePath(name)}, sideBufferSize)
	w.sides = append(w.sides, s)
	return s
}

// column starts a section that is streamed if how is "stream", and otherwise collected separately.
func (w *Writer) column(name, how string, elemSize int) *Section {
	if how == "stream" {
		return w.Section(name, elemSize)
	}
	return w.Side(name, elemSize)
}

func (w *Writer) sidePath(name string) string { return w.path + "." + name + ".tmp" }

func (w *Writer) newSection(name string, elemSize int) *Section {
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
		err = fmt.Errorf("mapped: there already is a section %q", name)
	case len(w.names) == maxSections:
		err = fmt.Errorf("mapped: section %q: more than %d sections", name, maxSections)
	}
	w.fail(err)
	w.names[name] = true
	return &Section{w: w, info: Info{Name: name, ElemSize: elemSize}}
}

// endSection pads the current section and records its entry.
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

// finish checks the length of a section that is in the main file, pads it and records it.
func (w *Writer) finish(s *Section) {
	s.info.Length = w.out.offset() - s.info.Offset
	if s.info.Length%int64(s.info.ElemSize) != 0 {
		w.fail(fmt.Errorf("mapped: %s: section %q: %d bytes are not a whole number of %d-byte elements",
			w.path, s.info.Name, s.info.Length, s.info.ElemSize))
	}
	w.pad()
	s.info.CRC = crc32.Checksum(s.sums, castagnoli)
	w.sections, w.sums = append(w.sections, s.info), append(w.sums, s.sums...)
}

// pad writes zeros up to the next multiple of 8.
func (w *Writer) pad() {
	w.fail(w.out.write(make([]byte, align(w.out.offset())-w.out.offset())))
}

// Close appends the side sections, the sums and the footer, and gives the file its final name. It does not sync the file.
// After an error it leaves no file behind, under either name.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.startUpTo(nil)
	w.endSection()
	for _, s := range w.packed {
		s.end()
	}
	for _, o := range w.offsets {
		o.end()
	}
	for _, s := range w.sides {
		w.fail(w.appendSide(s))
	}
	if w.err == nil {
		w.fail(w.out.write(w.sums))
		w.pad()
		w.fail(w.out.write(footer(w.head, w.sections)))
		w.fail(w.out.flush())
	}
	w.closeFile()
	if w.err == nil {
		w.fail(os.Rename(w.path+".tmp", w.path))
	}
	w.removeTemporary()
	return w.err
}

// sideFile is the file of a side section, which the first write creates.
type sideFile struct {
	create func(path string) (io.WriteCloser, error)
	path   string
	io.WriteCloser
}

func (f *sideFile) Write(p []byte) (n int, err error) {
	if f.WriteCloser == nil {
		if f.WriteCloser, err = f.create(f.path); err != nil {
			return 0, err
		}
	}
	return f.WriteCloser.Write(p)
}

func (f *sideFile) Close() error {
	if f.WriteCloser == nil {
		return nil
	}
	return errors.Join(f.WriteCloser.Close(), os.Remove(f.path))
}

// appendSide appends a side section, from its file if it has one and otherwise from memory.
func (w *Writer) appendSide(s *Section) error {
	if w.err != nil {
		return w.err
	}
	s.info.Offset = w.out.offset()
	if s.out.written == 0 {
		s.sums = s.out.endSums()
		if err := w.out.write(s.out.buf); err != nil {
			return err
		}
		w.finish(s)
		return nil
	}
	if err := s.out.flush(); err != nil {
		return err
	}
	s.sums = s.out.endSums()
	f, err := os.Open(w.sidePath(s.info.Name))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(w.out, f); err != nil {
		return err
	}
	if got := w.out.offset() - s.info.Offset; got != s.out.offset() {
		return fmt.Errorf("%s: only %d of %d bytes were read back: %w",
			w.sidePath(s.info.Name), got, s.out.offset(), ErrTruncated)
	}
	w.finish(s)
	return nil
}

// Abort closes and removes the temporary files. After Close it does nothing, so it may be deferred.
func (w *Writer) Abort() {
	if w.closed {
		return
	}
	w.closeFile()
	w.fail(errors.New("mapped: " + w.path + ": aborted"))
	w.removeTemporary()
}

func (w *Writer) closeFile() {
	w.closed = true
	if w.out != nil {
		w.fail(w.out.f.Close())
	}
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
	}
}

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

func (w *Writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}
