package framed

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
)

// Punch replaces the blocks of streams from to to-1 of a file of n streams by holes, which take no room on the disk.
// The file keeps its size and its other streams. On a file system without holes, the blocks stay.
func Punch(path string, n, from, to int) error {
	r, err := OpenStreams(path, n)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for stream := from; stream < to; stream++ {
		blocks, err := r.places(stream)
		if err != nil {
			return err
		}
		for _, p := range slices.Backward(blocks) { // first block first, so that a stopped process leaves a valid chain
			err := punch(f, int64(p.next-1), BlockHead+int64(p.size()))
			if errors.Is(err, errors.ErrUnsupported) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// places returns the places of the blocks of a stream that are not holes, last one first.
func (r *StreamsReader) places(stream int) (out []blockPlace, err error) {
	var head [BlockHead]byte
	for p := r.ends[stream].last; p.next > 0; {
		at := int64(p.next - 1)
		if err := r.fill(head[:], at); err != nil {
			return nil, err
		}
		if head == [BlockHead]byte{} { // a hole
			break
		}
		out = append(out, p)
		before := blockPlace{binary.LittleEndian.Uint64(head[:]), binary.LittleEndian.Uint32(head[8:])}
		if before.next > 0 && before.next-1+BlockHead+uint64(before.size()) > uint64(at) {
			return nil, r.wrong(at, "the block before is not before it")
		}
		p = before
	}
	return out, nil
}
