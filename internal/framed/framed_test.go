package framed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func randomBytes(n int, seed uint64) []byte {
	b, r := make([]byte, n), rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// read reads a file in every way. All ways must agree.
func read(t testing.TB, path string) ([]byte, error) {
	t.Helper()
	whole, err := ReadFile(path)
	r, errOpen := Open(path)
	if errOpen != nil {
		t.Fatal(errOpen)
	}
	defer r.Close()
	stream, errRead := io.ReadAll(r)
	if (err == nil) != (errRead == nil) || err == nil && !bytes.Equal(whole, stream) {
		t.Fatalf("%d bytes and %v at once, %d bytes and %v as a stream", len(whole), err, len(stream), errRead)
	}
	return whole, err
}

// The same bytes are read that were written, whatever the sizes of the writes and of the frames.
func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, Head, writerPayload - 1, writerPayload, writerPayload + 1, 3*writerPayload + 7} {
		path, want := filepath.Join(t.TempDir(), "x"), randomBytes(n, 1)
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWriter(f)
		for rest := want; len(rest) > 0; {
			some := min(len(rest), 1+len(rest)/3)
			if _, err := w.Write(rest[:some]); err != nil {
				t.Fatal(err)
			}
			rest = rest[some:]
		}
		if err := errors.Join(w.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := read(t, path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", n, len(got), err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(r, want); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		r.Close()
	}
}

// Blocks that several goroutines append stay whole, even if they take several frames.
func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				n := 1 + i*100
				if i == 7 {
					n = 2*maxPayload + 5
				}
				block := append(make([]byte, Head+4), bytes.Repeat([]byte{byte(g)}, n)...)
				binary.LittleEndian.PutUint32(block[Head:], uint32(n))
				if err := f.Append(block); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(make([]byte, Head+1)); err == nil {
		t.Error("a closed file takes a block")
	}
	b, err := read(t, path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for ; len(b) > 0; blocks++ {
		n := binary.LittleEndian.Uint32(b)
		for _, c := range b[4 : 4+n] {
			if c != b[4] {
				t.Fatalf("block %d is parted", blocks)
			}
		}
		b = b[4+n:]
	}
	if blocks != 80 {
		t.Errorf("%d blocks", blocks)
	}
}

// small writes a file of a few small frames.
func small(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := f.Append(randomBytes(Head+i*i+1, 3)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantDamage(t testing.TB, path, how string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := read(t, path)
	var e *Error
	if !errors.Is(err, ErrDamaged) || !errors.As(err, &e) || e.File != path || e.Offset < 0 || e.Offset > int64(len(b)) {
		t.Errorf("%s: %v", how, err)
	}
}

// Every flipped bit, every cut and every additional byte is found.
func TestEveryDamage(t *testing.T) {
	path := small(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(good) {
		b := bytes.Clone(good)
		b[i/8] ^= 1 << (i % 8)
		wantDamage(t, path, "bit", b)
	}
	for i := range good {
		wantDamage(t, path, "cut", good[:i])
		wantDamage(t, path, "byte missing", slices.Delete(bytes.Clone(good), i, i+1))
	}
	wantDamage(t, path, "longer", append(bytes.Clone(good), 0))
	wantDamage(t, path, "twice", append(bytes.Clone(good), good...))
}

// Frames that are missing, repeated or in another order are found although each of them is intact.
func TestWrongFrames(t *testing.T) {
	path := small(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var frames [][]byte
	for rest := good; len(rest) > 0; {
		n := Head + int(binary.LittleEndian.Uint32(rest))
		frames, rest = append(frames, rest[:n]), rest[n:]
	}
	for i := range frames {
		wantDamage(t, path, "missing", slices.Concat(slices.Delete(slices.Clone(frames), i, i+1)...))
		wantDamage(t, path, "doubled", slices.Concat(slices.Insert(slices.Clone(frames), i, frames[i])...))
		for j := range i {
			other := slices.Clone(frames)
			other[i], other[j] = other[j], other[i]
			wantDamage(t, path, "exchanged", slices.Concat(other...))
		}
	}
}

// Random bytes give an error, and take no more memory than a frame.
func TestMadeUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(rt, "bytes")
		wantDamage(t, path, "made up", b)
	})
}

// Errors of the disk are not reported as damage.
func TestNoFile(t *testing.T) {
	_, err := ReadFile(filepath.Join(t.TempDir(), "absent"))
	if !errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x")
	if err := WriteFile(path, randomBytes(64<<20, 1)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(64 << 20)
	for b.Loop() {
		if _, err := ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
}
