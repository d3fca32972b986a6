package run

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/zeebo/xxh3"
)

// The manifest and the state end with a digest of the whole file in which the digits of the digest itself are zeros. So
// every flipped bit is found, and no second file is needed.
const (
	sealStart = "\n  \"digest\": \""
	sealEnd   = "\"\n}\n"
	sealSize  = 32 // hex digits
)

var noSeal = bytes.Repeat([]byte{'0'}, sealSize)

// sealError says that a manifest does not end with its digest. It unwraps to ErrManifest.
type sealError struct {
	found string // empty if there is none
	want  string
}

func (e *sealError) Error() string {
	if e.found == "" {
		return fmt.Sprintf("%v: it does not end with its digest; put the file back as it was, or make the run again", ErrManifest)
	}
	return fmt.Sprintf("%v: it says that its digest is %s, and it is %s; put the file back as it was, or make the run again", ErrManifest, e.found, e.want)
}

func (e *sealError) Unwrap() error { return ErrManifest }

// sealed returns a manifest or a state as it stands in its file, with its digest, its last field, which it fills in.
func sealed(v any, digest *string) ([]byte, error) {
	*digest = string(noSeal)
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	at, ok := sealAt(b)
	if !ok {
		return nil, &sealError{}
	}
	*digest = hexDigest(xxh3.Hash128(b))
	copy(b[at:], *digest)
	return b, nil
}

// sealAt finds the digits of the digest.
func sealAt(b []byte) (at int, ok bool) {
	at = len(b) - len(sealEnd) - sealSize
	return at, at >= len(sealStart) && bytes.HasSuffix(b, []byte(sealEnd)) && bytes.HasSuffix(b[:at], []byte(sealStart))
}

// checkSeal compares a manifest with the digest at its end.
func checkSeal(b []byte) error {
	at, ok := sealAt(b)
	if !ok {
		return &sealError{}
	}
	h := xxh3.New()
	for _, part := range [][]byte{b[:at], noSeal, b[at+sealSize:]} {
		h.Write(part) //nolint:errcheck // a hash takes everything
	}
	if found, want := string(b[at:at+sealSize]), hexDigest(h.Sum128()); found != want {
		return &sealError{found, want}
	}
	return nil
}
