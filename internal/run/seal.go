package run

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

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

// hexDigest returns a 128-bit hash as 32 hex digits.
func hexDigest(h xxh3.Uint128) string {
	b := h.Bytes()
	return hex.EncodeToString(b[:])
}

// DigestJSON returns v as JSON and the XXH3-128 of that JSON as 32 hex digits. Fields come in the order of the struct
// and map keys are sorted, so equal values have equal digests.
func DigestJSON(v any) (json.RawMessage, string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, "", fmt.Errorf("configuration: %w", err)
	}
	return b, hexDigest(xxh3.Hash128(b)), nil
}

// DigestFile returns the size and the XXH3-128 of a file.
func DigestFile(ctx context.Context, path string) (Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	h := xxh3.New()
	n, err := copyContext(ctx, h, f)
	if err != nil {
		return Input{}, fmt.Errorf("%s at byte %d: %w", path, n, err)
	}
	return Input{Path: path, Bytes: n, Digest: hexDigest(h.Sum128())}, nil
}

// copyBuffers holds buffers for copyContext. A run has thousands of small files, and clearing a buffer takes longer
// than reading one of them.
var copyBuffers = sync.Pool{New: func() any { return new([256 << 10]byte) }}

// copyContext is like io.Copy but checks ctx before each 256 KiB.
func copyContext(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	room := copyBuffers.Get().(*[256 << 10]byte)
	defer copyBuffers.Put(room)
	return io.CopyBuffer(w, contextReader{ctx, r}, room[:])
}

// contextReader stops reading when its context is done.
type contextReader struct {
	context.Context
	from io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.Err(); err != nil {
		return 0, err
	}
	return c.from.Read(p)
}
