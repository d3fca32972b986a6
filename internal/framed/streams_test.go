package framed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// readStreams returns the blocks of each stream, or the first error.
func readStreams(path string, n int) (streams [][]string, err error) {
	r, err := OpenStreams(path, n)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for i := range n {
		var blocks []string
		size := int64(0)
		for b, err := range r.Blocks(i) {
			if err != nil {
				return nil, err
			}
			blocks, size = append(blocks, string(b)), size+int64(len(b))
		}
		if size != r.Size(i) {
			return nil, fmt.Errorf("stream %d: %d bytes, said to be %d", i, size, r.Size(i))
		}
		slices.Reverse(blocks)
		streams = append(streams, blocks)
	}
	return streams, nil
}

// TestStreams checks that each stream has its blocks in order, whatever is appended to the others in between, and
// that empty blocks are omitted.
func TestStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	rapid.Check(t, func(t *rapid.T) {
		want := make([][]string, rapid.IntRange(1, 5).Draw(t, "streams"))
		s, err := CreateStreams(path, len(want))
		must(t, err)
		for range rapid.IntRange(0, 30).Draw(t, "blocks") {
			i, block := rapid.IntRange(0, len(want)-1).Draw(t, "stream"), rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "block")
			if rapid.IntRange(0, 40).Draw(t, "large") == 0 {
				block = bytes.Repeat(block, largest/20)
			}
			must(t, s.Append(i, append(make([]byte, BlockHead), block...)))
			if len(block) > 0 {
				want[i] = append(want[i], string(block))
			}
		}
		must(t, errors.Join(s.Close(), s.Close()))
		if got, err := readStreams(path, len(want)); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
		if _, err := readStreams(path, len(want)+1); !errors.Is(err, ErrDamaged) {
			t.Fatalf("read as a file of more streams: %v", err)
		}
	})
}

// TestStreamsAtOnce checks that several goroutines can append at the same time.
func TestStreamsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	s, err := CreateStreams(path, 3)
	must(t, err)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 90 {
				if err := s.Append(i%3, append(make([]byte, BlockHead), bytes.Repeat([]byte{byte(g)}, 1+i)...)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	must(t, s.Close())
	if err := s.Append(0, make([]byte, BlockHead+1)); err == nil {
		t.Error("a closed file takes a block")
	}
	streams, err := readStreams(path, 3)
	must(t, err)
	for i, blocks := range streams {
		if len(blocks) != 120 {
			t.Errorf("stream %d: %d blocks", i, len(blocks))
		}
		for _, b := range blocks {
			if b != string(bytes.Repeat([]byte{b[0]}, len(b))) {
				t.Fatalf("stream %d: a block of several goroutines", i)
			}
		}
	}
}

// TestDamagedStreams checks that every flipped bit, every truncation, and every missing or additional byte is found.
func TestDamagedStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	s, err := CreateStreams(path, 3)
	must(t, err)
	for i := range 7 {
		must(t, s.Append(i%2, randomBytes(BlockHead+3*i+1, 4)))
	}
	must(t, s.Close())
	good, err := os.ReadFile(path)
	must(t, err)
	damaged := func(how string, b []byte) {
		t.Helper()
		must(t, os.WriteFile(path, b, 0o666))
		_, err := readStreams(path, 3)
		if e := (*Error)(nil); !errors.As(err, &e) || e.File != path {
			t.Errorf("%s: %v", how, err)
		}
	}
	for i := range 8 * len(good) {
		b := bytes.Clone(good)
		b[i/8] ^= 1 << (i % 8)
		damaged("bit", b)
	}
	for i := range good {
		damaged("cut", good[:i])
		damaged("byte missing", slices.Delete(bytes.Clone(good), i, i+1))
		damaged("byte more", slices.Insert(bytes.Clone(good), i, 7))
	}
	head := binary.LittleEndian.Uint64(good) // of the first block, which has none before it
	if head != 0 {
		t.Errorf("the first block comes after %d", head)
	}
}

func BenchmarkStreams(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x")
	s, err := CreateStreams(path, 8)
	if err != nil {
		b.Fatal(err)
	}
	block := randomBytes(BlockHead+(32<<10), 1)
	for i := range 2048 {
		if err := s.Append(i%8, block); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(64 << 20)
	for b.Loop() {
		if _, err := readStreams(path, 8); err != nil {
			b.Fatal(err)
		}
	}
}

func randomBytes(n int, seed uint64) []byte {
	b, r := make([]byte, n), rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}

// must ends a test if a step of it fails.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
