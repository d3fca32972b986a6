package crawl

import "testing"

// TestSniffCDX checks that an index is recognized by its first line, which must be text.
func TestSniffCDX(t *testing.T) {
	for head, want := range map[string]bool{
		"!meta {\"a\": 1}\n":                              true,
		"!context [\"é\"]\r\n":                            true,
		" CDX N b a m s k r\n":                            true,
		"org,example)/ 20200101000000 {\"url\": \"x\"}\n": true,
		"!\xde\xdb.\x1b\xf0\xdc\xed:\xd9":                 false, // the middle of gzip data
		"!meta {\"a\": \"\xc3":                            true,  // the last character is cut
		"!\x00\n":                                         false,
		"hello\n":                                         false,
	} {
		if sniffCDX([]byte(head)) != want {
			t.Errorf("%q: %v", head, !want)
		}
	}
}
