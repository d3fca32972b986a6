package dedup

import (
	"bytes"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

func onesCount(x uint64) int { return bits.OnesCount64(x) }

// unescape appends what the escapes between the quotes of a JSON string stand for.
func unescape(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 >= len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		c := raw[i+1]
		switch c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'u':
			n := 6
			for len(raw) >= i+n+6 && raw[i+n] == '\\' && raw[i+n+1] == 'u' { // surrogates come in pairs
				n += 6
			}
			n = min(n, len(raw)-i)
			quoted := append(append([]byte{'"'}, raw[i:i+n]...), '"')
			dst, _ = jsontext.AppendUnquote(dst, quoted) // an error leaves U+FFFD
			raw = raw[i+n:]
			continue
		}
		dst = append(dst, c)
		raw = raw[i+2:]
	}
}
