package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/framed"
)

// streamWriter collects the records of one worker for one stream.
type streamWriter struct {
	to     *framed.Streams
	stream int
	buf    []byte // head of a block and the records after it
}

// streamFlush is the number of bytes that a streamWriter collects.
const streamFlush = 64 << 10

func (b readStage) streamWriter(stream int) streamWriter {
	return streamWriter{stream: b.fromRead().moreStream(stream), buf: make([]byte, framed.BlockHead, framed.BlockHead+streamFlush)}
}

// append adds records, which stay together.
func (w *streamWriter) append(records []byte) error {
	if len(w.buf)+len(records) > cap(w.buf) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.buf = append(w.buf, records...); cap(w.buf) > 2*streamFlush { // larger than the room
		err := w.flush()
		w.buf = make([]byte, framed.BlockHead, framed.BlockHead+streamFlush)
		return err
	}
	return nil
}

func (w *streamWriter) flush() error {
	err := w.to.Append(w.stream, w.buf)
	w.buf = w.buf[:framed.BlockHead]
	return err
}

// putDrops writes the lines of a run.Drops, with their keys, as one block.
func (b readStage) putDrops(to *framed.Streams, keys, lines []byte) error {
	block := make([]byte, framed.BlockHead, framed.BlockHead+4+len(keys)+len(lines))
	block = binary.LittleEndian.AppendUint32(block, uint32(len(keys)))
	return to.Append(b.fromRead().moreStream(dropStream), append(append(block, keys...), lines...))
}
