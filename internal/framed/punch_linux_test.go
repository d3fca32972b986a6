package framed

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestPunch checks that punched streams have no bytes left, that the others are unchanged, and that punching twice
// does no harm.
func TestPunch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	s, err := CreateStreams(path, 4)
	must(t, err)
	for i := range 40 {
		must(t, s.Append(i%4, slices.Concat(make([]byte, BlockHead), noise(i, 10_000))))
	}
	must(t, s.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	for _, to := range []int{2, 3} {
		must(t, Punch(path, 4, 1, to))
	}
	r, err := OpenStreams(path, 4)
	must(t, err)
	defer r.Close()
	for stream := range 4 {
		blocks, zeros := 0, 0 // the last block comes first
		for b, err := range r.Blocks(stream) {
			if blocks++; err != nil {
				if e := (*Error)(nil); !errors.As(err, &e) {
					t.Error(err)
				}
				zeros++
			} else if !bytes.Equal(b, noise(stream+4*(10-blocks), 10_000)) {
				t.Errorf("stream %d: a block of %d bytes", stream, len(b))
			}
		}
		if punched := stream == 1 || stream == 2; punched != (zeros == 1 && blocks == 1) || !punched && blocks != 10 {
			t.Errorf("stream %d: %d blocks, %d of them not valid", stream, blocks, zeros)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || len(after) != len(before) || bytes.Count(after, []byte{0}) < 200_000 {
		t.Errorf("%d bytes, then %d, of which %d are zero: %v", len(before), len(after), bytes.Count(after, []byte{0}), err)
	}
	if bytes.Contains(after, noise(1, 10_000)[:100]) {
		t.Error("a block of a punched stream is still there")
	}
}

// TestPunchedRoom checks that a punched stream takes almost no room.
func TestPunchedRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	s, err := CreateStreams(path, 2)
	must(t, err)
	const size = 1 << 20
	for i := range 2 {
		must(t, s.Append(i, slices.Concat(make([]byte, BlockHead), noise(i, size))))
	}
	must(t, s.Close())
	room := func() int64 {
		info, err := os.Stat(path)
		must(t, err)
		return info.Sys().(*syscall.Stat_t).Blocks * 512
	}
	before := room()
	must(t, Punch(path, 2, 0, 1))
	if after := room(); before < 2*size || before-after < size-2<<12 {
		t.Errorf("%d bytes of room, then %d", before, after)
	}
}

// noise returns bytes that do not get smaller by compression.
func noise(seed, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed)}).Read(b)
	return b
}
