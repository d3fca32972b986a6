package run

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/zeebo/xxh3"
)

// The manifest, the state and receipts end with a digest of the whole file, computed with zeros in place of its own digits. So
// every flipped bit is found without a second file.
const (
	sealStart = "\n  \"digest\": \""
	sealEnd   = "\"\n}\n"
	sealSize  = 32 // hex digits
)

var noSeal = bytes.Repeat([]byte{'0'}, sealSize)

// sealError is the error for a manifest that does not end with its digest. It unwraps to ErrManifest.
type sealError struct {
	found string // empty if the manifest has no digest
	want  string
}

func (e *sealError) Error() string {
	if e.found == "" {
		return fmt.Sprintf("%v: it does not end with its digest; restore the file or build the run again", ErrManifest)
	}
	return fmt.Sprintf("%v: its digest is %s, but the file says %s; restore the file or build the run again", ErrManifest, e.want, e.found)
}

func (e *sealError) Unwrap() error { return ErrManifest }

// sealed returns v, a manifest, a state or a receipt, as the contents of its file. It stores the digest in *digest, which must
// be the last field of v.
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

// sealAt returns the position of the digits of the digest.
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
		h.Write(part) //nolint:errcheck // a hash never fails
	}
	if found, want := string(b[at:at+sealSize]), hexDigest(h.Sum128()); found != want {
		return &sealError{found, want}
	}
	return nil
}
