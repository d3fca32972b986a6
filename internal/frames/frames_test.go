package frames

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func randomBytes(n int, seed uint64) []byte {
	b, r := make([]byte, n), rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// written returns a stream with the files, and streams of a partition.
func written(t testing.TB, files map[string][]byte, streams map[Stream][]byte) []byte {
	t.Helper()
	var to bytes.Buffer
	w, err := NewWriter(&to)
	put := func(head Frame, b []byte) {
		head.Size = uint64(len(b))
		blocks := w.Blocks(head)
		for rest := b; len(rest) > 0 && err == nil; {
			some := min(len(rest), 1+len(rest)/3)
			_, err = blocks.Write(rest[:some])
			rest = rest[some:]
		}
		if _, errClose := blocks.Close(); errClose != nil {
			err = errClose
		}
	}
	if err == nil {
		for name, b := range files {
			put(Frame{Kind: File, Part: Driver, Name: name}, b)
		}
		for s, b := range streams {
			put(Frame{Kind: s.Kind, Part: int32(s.Part), Number: s.Number}, b)
		}
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// cut returns the frames of a stream, without the header and the end frame.
func cut(stream []byte) (out [][]byte) {
	for b := stream[headerSize:]; Kind(binary.LittleEndian.Uint32(b[4:])) != End; {
		n := prefixSize + int(binary.LittleEndian.Uint32(b))
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

// joined returns the stream of some frames, as an engine makes it.
func joined(frames ...[]byte) []byte {
	return append(bytes.Join(append([][]byte{header()}, frames...), nil), (&Frame{Kind: End, Part: Driver}).append(nil)...)
}

// taken is what came of a stream.
type taken struct {
	files Files
	spool *Spool
}

// take reads a stream.
func take(t testing.TB, stream []byte) (*taken, error) {
	t.Helper()
	dir := t.TempDir()
	spool, err := CreateSpool(filepath.Join(dir, "spool"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { spool.Close() })
	to := &taken{Files{Path: func(name string) string { return filepath.Join(dir, strings.ReplaceAll(name, "/", "~")) }}, spool}
	r, err := NewReader(bytes.NewReader(stream))
	if err != nil {
		return to, err
	}
	for {
		f, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			_, err := to.files.Complete()
			return to, err
		case err != nil:
			return to, err
		case f.Kind == File:
			err = to.files.Add(f)
		case f.Kind != Receipt:
			err = to.spool.Add(r, f)
		}
		if err != nil {
			return to, err
		}
	}
}

var (
	someFiles   = map[string][]byte{"work/a": randomBytes(2*BlockSize+5, 1), "empty": {}, "b.lsh": randomBytes(BlockSize, 2)}
	someStreams = map[Stream][]byte{{Fragments, 3, 0}: randomBytes(3*BlockSize+1, 3), {Fragments, 3, 7}: randomBytes(9, 4), {Shingles, 3, 0}: randomBytes(10, 5)}
)

func sumOf(t *testing.T, frames [][]byte, key Stream) (sum uint64) {
	t.Helper()
	for _, b := range frames {
		f, err := parse(b[:prefixSize], b[prefixSize:])
		if err != nil {
			t.Fatal(err)
		}
		if f.Kind == key.Kind && int(f.Part) == key.Part && f.Number == key.Number {
			sum += uint64(f.sum)
		}
	}
	return sum
}

// The same files and streams come out that went in, whatever the order of the frames and however often they come.
func TestAnyOrder(t *testing.T) {
	stream := written(t, someFiles, someStreams)
	frames := cut(stream)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 4 {
		if i > 0 {
			all := append(cut(stream), frames[:len(frames)/2]...)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			stream = joined(all...)
		}
		got, err := take(t, stream)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range someFiles {
			if b, err := os.ReadFile(got.files.Path(name)); err != nil || !bytes.Equal(b, want) {
				t.Errorf("%s: %d bytes, not the same %d, %v", name, len(b), len(want), err)
			}
		}
		for key, want := range someStreams {
			var have []byte
			err := errors.Join(got.spool.Check(key, uint64(len(want)), sumOf(t, frames, key)), got.spool.Read(key, func(block []byte) error {
				have = append(have, block...)
				return nil
			}))
			if err != nil || !bytes.Equal(have, want) || got.spool.Size(key) != int64(len(want)) {
				t.Errorf("%+v: %d bytes, not the same %d, %v", key, len(have), len(want), err)
			}
		}
		if err := got.spool.Check(Stream{Shingles, 3, 9}, 0, 0); err != nil {
			t.Errorf("a stream without records: %v", err)
		}
	}
}

// Every flipped bit of the header, the heads and the tails of frames is found, and so is every cut.
func TestEveryDamage(t *testing.T) {
	good := written(t, map[string][]byte{"a": []byte("some bytes"), "b": {}}, map[Stream][]byte{{Fragments, 1, 2}: []byte("more bytes")})
	for i := range 8 * len(good) {
		b := bytes.Clone(good)
		b[i/8] ^= 1 << (i % 8)
		if _, err := take(t, b); !errors.Is(err, ErrDamaged) {
			t.Errorf("bit %d: %v", i, err)
		}
	}
	for i := range good {
		if _, err := take(t, good[:i]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	if _, err := take(t, append(bytes.Clone(good), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
}

// A missing block, and a block that comes twice and differs, are errors that name the part, the file and the offset.
func TestWrongBlocks(t *testing.T) {
	frames := cut(written(t, map[string][]byte{"work/a": randomBytes(2*BlockSize+5, 1)}, nil))
	other := cut(written(t, map[string][]byte{"work/a": randomBytes(2*BlockSize+5, 2)}, nil))
	longer := cut(written(t, map[string][]byte{"work/a": randomBytes(3*BlockSize, 1)}, nil))
	outside := cut(written(t, map[string][]byte{"../a": {1}}, nil))
	end := written(t, map[string][]byte{"work/a": randomBytes(2*BlockSize+5, 1)}, nil)
	for what, c := range map[string]struct {
		stream []byte
		says   string
	}{
		"missing":       {joined(frames[0], frames[2]), "file work/a at byte 262144: the block is missing; 2 of 3 blocks are there"},
		"differs":       {joined(frames[0], frames[1], other[1], frames[2]), "file work/a at byte 262144: the block has come twice, and differs"},
		"another size":  {joined(frames[0], longer[1]), "file work/a at byte 262144: it belongs to 786432 bytes"},
		"outside":       {joined(outside...), `a frame with a wrong name "../a"`},
		"end frame":     {append(bytes.Join(append([][]byte{header()}, frames[:2]...), nil), end[len(end)-(len(end)-headerSize-len(bytes.Join(frames, nil))):]...), "its end frame counts"},
		"no frames":     {[]byte("any other input that is longer than the header"), "no stream of frames"},
		"other version": {append([]byte(magic), 9, 0, 0, 0, 0, 0, 0, 0), "frames of version 9"},
	} {
		if _, err := take(t, c.stream); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A spool knows which streams are not those that were sent.
func TestSpoolCheck(t *testing.T) {
	key := Stream{Fragments, 3, 6}
	frames := cut(written(t, nil, map[Stream][]byte{key: randomBytes(2*BlockSize, 1)}))
	sum := sumOf(t, frames, key)
	for what, c := range map[string]struct {
		frames    [][]byte
		size, sum uint64
		says      string
	}{
		"nothing came":  {nil, 2 * BlockSize, sum, "fragments of part 7 of read for partition 3 at byte 0: none of its 524288 bytes has come"},
		"block missing": {frames[:1], 2 * BlockSize, sum, "fragments of part 7 of read for partition 3 at byte 262144: the block is missing"},
		"another size":  {frames, BlockSize, sum, "it is not what the run has recorded"},
		"another sum":   {frames, 2 * BlockSize, sum + 1, "it is not what the run has recorded"},
	} {
		got, err := take(t, joined(c.frames...))
		if err == nil {
			err = got.spool.Check(key, c.size, c.sum)
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A spool that was damaged on the disk is found when it is read.
func TestSpoolDamage(t *testing.T) {
	key := Stream{Fragments, 0, 0}
	for what, change := range map[string]func(path string) error{
		"flipped": func(path string) error {
			b, err := os.ReadFile(path)
			b[len(b)/2] ^= 1
			return errors.Join(err, os.WriteFile(path, b, 0o666))
		},
		"cut": func(path string) error { return os.Truncate(path, 100) },
	} {
		got, err := take(t, written(t, nil, map[Stream][]byte{key: randomBytes(BlockSize, 1)}))
		if err := errors.Join(err, change(got.spool.f.Name())); err != nil {
			t.Fatal(err)
		}
		if err := got.spool.Read(key, func([]byte) error { return nil }); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The header and the end frame are constants of the version, which programs that only move frames write themselves.
func TestConstants(t *testing.T) {
	if h := string(header()); h != "LSHFRAME\x01\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("header %q", h)
	}
	if e := string((&Frame{Kind: End, Part: Driver}).append(nil)); e != "\x00\x00\x00\x00\x05\x00\x00\x00\xff\xff\xff\xff\x2f\xfe\xd9\xf4" {
		t.Errorf("end frame %q", e)
	}
	if _, err := take(t, joined()); err != nil {
		t.Errorf("a stream of nothing: %v", err)
	}
}

// Whatever bytes come, reading them ends with an error of the package or with frames that are whole.
func FuzzReader(f *testing.F) {
	f.Add(joined())
	f.Add(written(f, map[string][]byte{"work/a": []byte("abc"), "b": {}}, map[Stream][]byte{{Fragments, 1, 2}: []byte("more"), {Shingles, 0, 0}: {}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		got, err := take(t, b)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		for key := range got.spool.streams {
			if err == nil && got.spool.streams[key].complete() == nil {
				n := int64(0)
				err := got.spool.Read(key, func(block []byte) error {
					n += int64(len(block))
					return nil
				})
				if err != nil || n != got.spool.Size(key) {
					t.Errorf("%+v: %d of %d bytes, %v", key, n, got.spool.Size(key), err)
				}
			}
		}
	})
}
