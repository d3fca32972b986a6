package inflate

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
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

func BenchmarkInflate(b *testing.B) {
	words := samples()["words"]
	packed := pack(words, 6)
	for _, c := range []string{"this", "klauspost"} {
		b.Run(c, func(b *testing.B) {
			b.SetBytes(int64(len(words)))
			var z Reader
			var k gzip.Reader
			br := bufio.NewReaderSize(nil, 1<<18)
			buf := make([]byte, 1<<16)
			for b.Loop() {
				br.Reset(bytes.NewReader(packed))
				var r io.Reader = &z
				if c == "this" {
					_ = z.Reset(br)
				} else {
					_ = k.Reset(br)
					r = &k
				}
				for err := error(nil); err == nil; {
					_, err = r.Read(buf)
				}
			}
		})
	}
}
