package inflate

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"github.com/lshclust/lshclust/internal/shareddata"
)

func pack(b []byte, level int) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, level)
	_, _ = w.Write(b)
	w.Close()
	return out.Bytes()
}

func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 150000)
	words := &bytes.Buffer{}
	skewed := make([]byte, 150000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
		skewed[i] = byte(min(r.ExpFloat64()*9, 255))
		fmt.Fprintf(words, "<p class=%d>word%d", r.IntN(9), r.IntN(i+1))
	}
	return map[string][]byte{"empty": nil, "one": []byte("a"), "text": []byte("a rose is a rose is a rose"), "run": bytes.Repeat([]byte("x"), 500000),
		"pairs": bytes.Repeat([]byte("xy"), 100000), "threes": bytes.Repeat([]byte("xyz"), 100000), "noise": noise, "skewed": skewed, "words": words.Bytes()}
}

func TestSame(t *testing.T) {
	var z Reader
	for name, want := range samples() {
		for _, level := range []int{gzip.HuffmanOnly, 0, 1, 6, 9} {
			packed := pack(want, level)
			two := append(append(bytes.Clone(packed), packed...), "rest"...)
			for size, src := range map[int]io.Reader{64: bytes.NewReader(two), 4096: iotest.HalfReader(bytes.NewReader(two)), 1 << 18: iotest.DataErrReader(bytes.NewReader(two))} {
				br := bufio.NewReaderSize(src, size)
				for range 2 {
					if err := z.Reset(br); err != nil {
						t.Fatal(name, level, err)
					}
					got, err := io.ReadAll(&z)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%s, level %d, buffer %d: %d bytes, want %d; %v", name, level, size, len(got), len(want), err)
					}
				}
				if rest, _ := io.ReadAll(br); string(rest) != "rest" {
					t.Fatalf("%s: %q is left", name, rest)
				}
			}
		}
	}
}

func TestCutAnywhere(t *testing.T) {
	packed := pack([]byte(strings.Repeat("a rose is a rose ", 20)+"abcdefghijklmnop"), 6)
	var z Reader
	for n := 1; n < len(packed); n++ {
		err := z.Reset(bufio.NewReader(bytes.NewReader(packed[:n])))
		if err == nil {
			_, err = io.ReadAll(&z)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

// FuzzSame demands the same bytes as klauspost/compress, and errors for the same streams.
func FuzzSame(f *testing.F) {
	for _, b := range samples() {
		f.Add(pack(b[:min(len(b), 3000)], 6)[10:])
		f.Add(pack(b[:min(len(b), 500)], gzip.HuffmanOnly)[10:])
	}
	f.Add([]byte{3, 0})
	f.Fuzz(func(t *testing.T, in []byte) {
		kr := bytes.NewReader(in)
		want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(kr), 1<<22))
		var d decoder
		br := bufio.NewReaderSize(bytes.NewReader(in), 64)
		d.reset(br)
		var got []byte
		var err error
		for len(got) < 1<<22 {
			var b []byte
			if b, err = d.read(1<<22 - len(got)); err != nil {
				break
			}
			got = append(got, b...)
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; klauspost has %d bytes, %v", len(got), err, len(want), wantErr)
		}
		if rest, _ := io.ReadAll(br); err == nil && len(want) < 1<<22 && len(rest) != kr.Len() {
			t.Fatalf("%d bytes left, klauspost leaves %d", len(rest), kr.Len())
		}
	})
}

// TestEndOfBuffer puts a long match behind the places where the fast loop stops for want of room.
func TestEndOfBuffer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letters := make([]byte, bufSize)
	for i := range letters {
		letters[i] = "etaoinshrdlucmfw"[r.IntN(16)]
	}
	var z Reader
	for n := bufSize - margin; n < bufSize-margin+14; n++ {
		for from := range 6 { // changes where the turns begin
			want := slices.Concat(letters[from:n], letters[n-300:n], letters[:500])
			if err := z.Reset(bufio.NewReader(bytes.NewReader(pack(want, 9)))); err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(&z); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d: %d bytes, want %d; %v", n, len(got), len(want), err)
			}
		}
	}
}

// BenchmarkInflate reads 25 members of tags and words, and the members of a WARC.
func BenchmarkInflate(b *testing.B) {
	words := samples()["words"]
	crawl, err := os.ReadFile(filepath.Join(shareddata.Dir(b, "warc"), "ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"))
	if err != nil {
		b.Fatal(err)
	}
	for name, packed := range map[string][]byte{"words": bytes.Repeat(pack(words, 6), 25), "crawl": crawl} {
		var z Reader
		var k gzip.Reader
		var s stdgzip.Reader
		for _, c := range []struct {
			name string
			next func(*bufio.Reader) (io.Reader, error)
		}{
			{"this", func(r *bufio.Reader) (io.Reader, error) { return &z, z.Reset(r) }},
			{"klauspost", func(r *bufio.Reader) (io.Reader, error) { err := k.Reset(r); k.Multistream(false); return &k, err }},
			{"standard", func(r *bufio.Reader) (io.Reader, error) { err := s.Reset(r); s.Multistream(false); return &s, err }},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) { benchmarkMembers(b, packed, c.next) })
		}
	}
}

func benchmarkMembers(b *testing.B, packed []byte, next func(*bufio.Reader) (io.Reader, error)) {
	br := bufio.NewReaderSize(nil, 1<<18)
	buf := make([]byte, 1<<16)
	for b.Loop() {
		br.Reset(bytes.NewReader(packed))
		size := int64(0)
		for {
			r, err := next(br)
			if err != nil {
				break
			}
			for err == nil {
				var n int
				n, err = r.Read(buf)
				size += int64(n)
			}
		}
		b.SetBytes(size)
	}
}
