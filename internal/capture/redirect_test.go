package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// A redirect survives encoding and decoding; cut anywhere, it is an error and not a panic.
func TestRedirectEncoding(t *testing.T) {
	at := time.UnixMilli(12345)
	moved := RedirectOf(crawl.Redirect{From: "https://a.example", To: "https://b.example/c", Time: at}, ByRefresh, 7)
	for _, r := range []Redirect{moved, {Hash: 1 << 63, Order: Order{-4, 1}}} {
		b := r.Append([]byte("before"))[len("before"):]
		n, k := binary.Uvarint(b)
		body := b[k:]
		if int(n) != len(body) || len(b) > r.Bound() || binary.LittleEndian.Uint64(body) != r.Hash {
			t.Fatalf("%v: %d bytes after a length of %d, bound %d", r, len(body), n, r.Bound())
		}
		got, err := DecodeRedirect(body)
		if err != nil || got.Hash != r.Hash || got.Order != r.Order || got.By != r.By || !bytes.Equal(got.From, r.From) || !bytes.Equal(got.To, r.To) {
			t.Errorf("%v decodes to %v, %v", r, got, err)
		}
		for i := range body {
			if _, err := DecodeRedirect(body[:i:i]); err == nil {
				t.Errorf("%d of %d bytes decode", i, len(body))
			}
		}
	}
	if want := (Redirect{Hash("https://a.example"), Order{12345, 7}, ByRefresh, []byte("https://a.example"), []byte("https://b.example/c")}); !reflect.DeepEqual(moved, want) {
		t.Errorf("%v, want %v", moved, want)
	}
}

func TestDestination(t *testing.T) {
	steps := map[string]string{"one": "end", "two": "one", "loop": "back", "back": "loop", "into": "loop"}
	for i := range 12 {
		steps[fmt.Sprint("long", i)] = fmt.Sprint("long", i+1)
	}
	step := func(url string) (string, bool) { to, ok := steps[url]; return to, ok }
	for _, c := range []struct {
		url, to string
		hops    uint8
		reason  crawl.Reason
	}{
		{"one", "end", 1, ""}, {"two", "end", 2, ""}, {"loop", "", 0, ReasonLoop}, {"into", "", 0, ReasonLoop},
		{"long2", "long12", MaxHops, ""}, {"long1", "", 0, ReasonTooLong}, {"long0", "", 0, ReasonTooLong},
	} {
		if to, hops, reason := Destination(c.url, step); to != c.to || hops != c.hops || reason != c.reason {
			t.Errorf("%s redirects to %q after %d hops, %q", c.url, to, hops, reason)
		}
	}
}
