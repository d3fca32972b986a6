package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/lsh"
)

// survivors keeps the pairs that survived the filter in a file for each worker, until all of them are known and the
// shortlist can be made.
type survivors struct {
	files []string
	out   []*framed.Writer
}

// survivorSize is the size of a pair on disk: two nodes (4 bytes each) and the agreement (1).
const survivorSize = 9

func newSurvivors(dir string, workers int) (*survivors, error) {
	s := &survivors{}
	for w := range workers {
		path := filepath.Join(dir, fmt.Sprintf("survivors-%d", w))
		f, err := framed.Create(path)
		if err != nil {
			s.close()
			return nil, err
		}
		s.files, s.out = append(s.files, path), append(s.out, framed.NewWriter(f))
	}
	return s, nil
}

// close closes the files. A second call does no harm.
func (s *survivors) close() (err error) {
	for _, w := range s.out {
		err = cmp.Or(err, w.Close())
	}
	return err
}

// add stores the pairs that a worker has found.
func (s *survivors) add(worker int, pairs []lsh.Pair) error {
	var rec [survivorSize]byte
	for _, p := range pairs {
		binary.LittleEndian.PutUint32(rec[0:], p.A)
		binary.LittleEndian.PutUint32(rec[4:], p.B)
		rec[8] = p.Agreement
		if _, err := s.out[worker].Write(rec[:]); err != nil {
			return err
		}
	}
	return nil
}

// parts returns the pairs of each file. The files must have been closed. The pairs that a part yields are valid until
// the next ones.
func (s *survivors) parts(ctx context.Context) []iter.Seq2[[]lsh.Pair, error] {
	parts := make([]iter.Seq2[[]lsh.Pair, error], len(s.files))
	for i, path := range s.files {
		parts[i] = func(yield func([]lsh.Pair, error) bool) { readSurvivors(ctx, path, yield) }
	}
	return parts
}

// readSurvivors yields the pairs of a file, some at a time.
func readSurvivors(ctx context.Context, path string, yield func([]lsh.Pair, error) bool) {
	f, err := framed.Open(path)
	if err != nil {
		yield(nil, err)
		return
	}
	defer f.Close()
	buf, pairs := make([]byte, 4096*survivorSize), make([]lsh.Pair, 0, 4096)
	for {
		n, err := io.ReadFull(f, buf)
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if end {
			err = nil
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			yield(nil, err)
			return
		}
		pairs = pairs[:0]
		for b := buf[:n]; len(b) >= survivorSize; b = b[survivorSize:] {
			pairs = append(pairs, lsh.Pair{A: binary.LittleEndian.Uint32(b), B: binary.LittleEndian.Uint32(b[4:]), Agreement: b[8]})
		}
		if !yield(pairs, nil) || end {
			return
		}
	}
}
