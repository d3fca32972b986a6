package payload

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func hex(n int) string { return fmt.Sprintf("%02X", n) }

func FuzzChunked(f *testing.F) {
	for _, s := range []string{"", "0\r\n\r\n", "5\r\nabcde\r\n0\r\n\r\n", "5\nabcde\nfffffffff\n", "7fffffff\r\nabc", "<html>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := new(Room).Dechunk(in)
		if len(out) > len(in) {
			t.Fatalf("%d bytes out of %d", len(out), len(in))
		}
		chunked := strings.Join([]string{hex4digits(len(out)), "\r\n", string(out), "\r\n0\r\n\r\n"}, "")
		if again, err2 := new(Room).Dechunk([]byte(chunked)); err == nil && err2 == nil && len(out) > 0 && !bytes.Equal(again, out) {
			t.Fatalf("chunked again gives %q, not %q", again, out)
		}
	})
}

func hex4digits(n int) string { return hex(n>>8&255) + hex(n&255) }
