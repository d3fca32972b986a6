// Package framed writes and reads the files of the stage read: many streams of blocks in one file, each of which can
// be read without the others. Blocks are compressed. Every block has a checksum, which a reader verifies before it returns any byte of the
// block.
//
// Several goroutines may call [Streams.Append] at the same time.
package framed

import (
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrDamaged is wrapped by every [Error].
var ErrDamaged = errors.New("damaged file")

// Error is the error for a damaged file. It unwraps to ErrDamaged.
type Error struct {
	File   string
	Offset int64 // offset of the block
	What   string
}

// Error returns a message with the file, the offset and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d: %v: %s", e.File, e.Offset, ErrDamaged, e.What)
}

// Unwrap returns ErrDamaged.
func (e *Error) Unwrap() error { return ErrDamaged }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
