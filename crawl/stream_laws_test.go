package crawl_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
)

// fuzzContent is the number of bytes of content of all members that fuzzing reads; larger inputs are skipped.
const fuzzContent = 1 << 20

// member is the content of one member and its position.
type member struct {
	at   int64
	data []byte
	err  error
}

// membersOf reads an input member by member. After damage, it continues with the next member.
func membersOf(t *testing.T, in []byte) (out []member, kind stream.Compression) {
	t.Helper()
	m, err := stream.NewMembers(InMemory("x", in), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	total := 0
	for err = m.Next(); !errors.Is(err, io.EOF); err = m.Next() {
		for ; err == nil || !errors.Is(err, io.EOF); _, err = m.Resync(func([]byte) bool { return true }) {
			one := member{at: m.Start, err: err}
			if err == nil {
				one.data, one.err = io.ReadAll(io.LimitReader(m.Buf, int64(fuzzContent-total)))
			}
			if m.RawOffset() > int64(len(in)) || one.at > m.RawOffset() {
				t.Fatalf("member at %d, read to %d of %d", one.at, m.RawOffset(), len(in))
			}
			out = append(out, one)
			if total += len(one.data); total >= fuzzContent {
				return out, m.Kind
			}
			if one.err == nil {
				break
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	return out, m.Kind
}

// checkMembers checks the laws of reading members. whole is another reader of the whole input.
func checkMembers(t *testing.T, in []byte, whole func(io.Reader) (io.Reader, error)) {
	t.Helper()
	list, kind := membersOf(t, in)
	var all []byte
	for i, one := range list {
		if i > 0 && one.at <= list[i-1].at {
			t.Fatalf("a member at %d behind one at %d", one.at, list[i-1].at)
		}
		all = append(all, one.data...)
		if one.err == nil && kind != stream.Plain {
			checkAgain(t, in, one)
		}
	}
	r, err := whole(bytes.NewReader(in))
	if err != nil || len(all) >= fuzzContent {
		return
	}
	want, err := io.ReadAll(io.LimitReader(r, fuzzContent))
	if err == nil && len(want) < fuzzContent && !bytes.Equal(all, want) {
		t.Fatalf("%d bytes in %d members, another reader has %d; %v", len(all), len(list), len(want), list)
	}
}

// checkAgain reads a member that was good again from its position.
func checkAgain(t *testing.T, in []byte, one member) {
	t.Helper()
	if len(in) > 1<<16 || one.at == 0 {
		return
	}
	m, err := stream.NewMembers(InMemory("x", in), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_ = m.Next() // a dictionary precedes everything else
	err = m.GoTo(one.at)
	var b []byte
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(m.Buf, fuzzContent))
	}
	if m.Kind == stream.Zstd && bytes.HasPrefix(in[one.at:], payload.ZstdMagic) && err == nil && bytes.Equal(b, one.data) {
		return
	}
	if m.Kind == stream.Gzip && err == nil && bytes.Equal(b, one.data) {
		return
	}
	t.Fatalf("the member at %d gave %d bytes, and from its place %d, %v", one.at, len(one.data), len(b), err)
}
