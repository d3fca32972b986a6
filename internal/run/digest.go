package run

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/zeebo/xxh3"
)

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
	buf := room[:]
	var total int64
	for {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		n, err := r.Read(buf)
		total += int64(n)
		if _, werr := w.Write(buf[:n]); werr != nil {
			return total, werr
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}
