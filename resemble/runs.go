package resemble

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// runFile holds the runs of equal keys between the sort of the keys and that of the
// pairs, so that their lengths are known before the first pair is formed. A run is
// key (8), number of ids (4), number of these that come first because the key is one
// of their own (4), and the ids (4 each), little-endian.
type runFile struct {
	f   *os.File
	w   *bufio.Writer
	buf []byte
}

const runHead = 16

func createRuns(dir string) (*runFile, error) {
	f, err := os.CreateTemp(dir, "runs-*")
	if err != nil {
		return nil, err
	}
	return &runFile{f: f, w: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (r *runFile) write(key uint64, ids []uint32, short int) error {
	r.buf = binary.LittleEndian.AppendUint64(r.buf[:0], key)
	r.buf = binary.LittleEndian.AppendUint32(r.buf, uint32(len(ids)))
	r.buf = binary.LittleEndian.AppendUint32(r.buf, uint32(short))
	for _, id := range ids {
		r.buf = binary.LittleEndian.AppendUint32(r.buf, id)
	}
	_, err := r.w.Write(r.buf)
	return err
}

// read calls take for every run; ids are valid until it returns.
func (r *runFile) read(longest int, take func(key uint64, ids []uint32, short int) error) error {
	if err := r.w.Flush(); err != nil {
		return err
	}
	if _, err := r.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r.f, 1<<18)
	var ids []uint32
	for {
		var head [runHead]byte
		if _, err := io.ReadFull(in, head[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", r.f.Name(), err)
		}
		n := int(binary.LittleEndian.Uint32(head[8:]))
		short := int(binary.LittleEndian.Uint32(head[12:]))
		if n > longest || short > n {
			return fmt.Errorf("%s: a run of %d ids where %d are possible", r.f.Name(), n, longest)
		}
		r.buf = append(r.buf[:0], make([]byte, 4*n)...)
		if _, err := io.ReadFull(in, r.buf); err != nil {
			return fmt.Errorf("%s: %w", r.f.Name(), err)
		}
		ids = ids[:0]
		for at := 0; at < len(r.buf); at += 4 {
			ids = append(ids, binary.LittleEndian.Uint32(r.buf[at:]))
		}
		if err := take(binary.LittleEndian.Uint64(head[:]), ids, short); err != nil {
			return err
		}
	}
}

func (r *runFile) close() {
	_ = r.f.Close()
	_ = os.Remove(r.f.Name())
}
