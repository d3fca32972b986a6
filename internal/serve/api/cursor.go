package api

import (
	"encoding/base64"
	"encoding/binary"
	"net/http"

	"github.com/zeebo/xxh3"
)

// A cursor consists of 4 bytes with the number of rows answered so far and 8 bytes of a hash of that number, the
// digest of the run, the operation and its other parameters. It is therefore valid only for the same question to the
// same run.

// cursorPattern matches cursors: 12 bytes in base64.
const cursorPattern = "^[A-Za-z0-9_-]{16}$"

var cursorEncoding = base64.RawURLEncoding.Strict()

// Cursor returns the cursor for the rows from n on.
func (o *Operation) Cursor(a Args, digest string, n int) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(n))
	seal := []byte(digest + "\x00" + o.ID)
	for _, p := range o.Params {
		if p.Name != "cursor" && p.Name != "limit" && p.Name != "run" { // the digest stands for the run
			seal = append(append(seal, 0), a.Text(p.Name)...)
		}
	}
	return cursorEncoding.EncodeToString(binary.LittleEndian.AppendUint64(b, xxh3.HashSeed(seal, uint64(n))))
}

// From returns the number of rows to skip according to the cursor among the parameters, 0 without a cursor.
func (o *Operation) From(a Args, digest string) (int, error) {
	if !a.Has("cursor") {
		return 0, nil
	}
	b, err := cursorEncoding.DecodeString(a.Text("cursor"))
	if err != nil || len(b) != 12 {
		return 0, staleCursor()
	}
	n := int(binary.LittleEndian.Uint32(b))
	if o.Cursor(a, digest, n) != a.Text("cursor") {
		return 0, staleCursor()
	}
	return n, nil
}

func staleCursor() *Problem {
	return NewProblem(http.StatusConflict, "stale-cursor", "The cursor is not of this list",
		"The run was replaced since the cursor was made, or the cursor belongs to another question.", "Ask again without the cursor.")
}

// Follow sets in an answer the cursor of its next portion and returns it. It returns "" for the last portion.
func (o *Operation) Follow(m Model, q *Question) string {
	l, ok := m.(portioned)
	if !ok || l.After() == 0 {
		return ""
	}
	cursor := o.Cursor(q.Args, q.Run.Manifest.Digest, l.After())
	l.Follow(cursor)
	return cursor
}
