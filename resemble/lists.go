package resemble

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// listFile holds the documents of each key between the sort of the keys and the sort of the pairs, so that the lengths
// of the lists are known before the first pair is formed. A list is a key (8), the number of ids (4), the number of ids
// that come first because the key is one of their own (4), and the ids (4 each), little-endian.
type listFile struct {
	f   *os.File
	w   *bufio.Writer
	buf []byte
}

const listHead = 16

func createLists(dir string) (*listFile, error) {
	f, err := os.CreateTemp(dir, "lists-*")
	if err != nil {
		return nil, err
	}
	return &listFile{f: f, w: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (r *listFile) write(key uint64, ids []uint32, short int) error {
	r.buf = binary.LittleEndian.AppendUint64(r.buf[:0], key)
	r.buf = binary.LittleEndian.AppendUint32(r.buf, uint32(len(ids)))
	r.buf = binary.LittleEndian.AppendUint32(r.buf, uint32(short))
	for _, id := range ids {
		r.buf = binary.LittleEndian.AppendUint32(r.buf, id)
	}
	_, err := r.w.Write(r.buf)
	return err
}

// read calls take for every list. The ids are valid until take returns.
func (r *listFile) read(longest int, take func(key uint64, ids []uint32, short int) error) error {
	if err := r.w.Flush(); err != nil {
		return err
	}
	if _, err := r.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r.f, 1<<18)
	var ids []uint32
	for {
		var head [listHead]byte
		if _, err := io.ReadFull(in, head[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", r.f.Name(), err)
		}
		n := int(binary.LittleEndian.Uint32(head[8:]))
		short := int(binary.LittleEndian.Uint32(head[12:]))
		if n > longest || short > n {
			return fmt.Errorf("%s: a list of %d ids where %d are possible", r.f.Name(), n, longest)
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

func (r *listFile) close() {
	_ = r.f.Close()
	_ = os.Remove(r.f.Name())
}
