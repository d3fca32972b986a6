package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
)

// maxNested is the greatest number of structs, lists, sets and maps in one another; real files have about ten.
const maxNested = 32

// open is a struct, list, set or map in the compact protocol of Thrift that has begun.
type open struct {
	left  uint64 // elements to come; keys and values of a map are elements
	kinds [2]byte
	next  int // index in kinds of the next element
}

// structLen returns the length of the struct that b begins with, and the number of elements of all lists in it. The
// library decodes nested values recursively, and makes lists as long as they say. The error is io.ErrUnexpectedEOF if b
// ends too early.
func structLen(b []byte) (length int, elements int64, err error) {
	at, stack := 0, []open{{}}
	take := func(n uint64) (first byte) {
		if n > uint64(len(b)-at) {
			err, n = io.ErrUnexpectedEOF, 0
		}
		if n > 0 {
			first = b[at]
		}
		at += int(n)
		return first
	}
	number := func() uint64 {
		n, size := binary.Uvarint(b[at:])
		switch {
		case size < 0:
			err = fmt.Errorf("an overflow at byte %d", at)
		case size == 0:
			err = io.ErrUnexpectedEOF
		default:
			take(uint64(size))
		}
		return n
	}
	push := func(n uint64, kinds ...byte) {
		elements += int64(n)
		if n > uint64(len(b)) {
			err = io.ErrUnexpectedEOF
		}
		stack = append(stack, open{left: n, kinds: [2]byte{kinds[0], kinds[len(kinds)-1]}})
	}
	for err == nil && len(stack) > 0 {
		top, kind := &stack[len(stack)-1], byte(0)
		inStruct := top.kinds[0] == 0
		switch {
		case inStruct:
			if kind = take(1); kind > 0 && kind>>4 == 0 {
				number()
			}
			kind &= 15
		case top.left > 0:
			kind = top.kinds[top.next]
			top.left, top.next = top.left-1, 1-top.next
		}
		switch kind {
		case 0: // the end
			stack = stack[:len(stack)-1]
		case 1, 2: // a field of a boolean has no content
			if !inStruct {
				take(1)
			}
		case 3:
			take(1)
		case 4, 5, 6:
			number()
		case 7:
			take(8)
		case 8:
			take(number())
		case 9, 10:
			head := take(1)
			n := uint64(head >> 4)
			if n == 15 {
				n = number()
			}
			push(n, max(head&15, 1))
		case 11:
			if n := number(); n > 0 && err == nil {
				kinds := take(1)
				push(2*n, max(kinds>>4, 1), max(kinds&15, 1))
			}
		case 12:
			push(0, 0)
		case 13:
			take(16)
		default:
			err = fmt.Errorf("a value of type %d", kind)
		}
		if len(stack) > maxNested {
			err = fmt.Errorf("more than %d structs and lists in one another", maxNested)
		}
	}
	return at, elements, err
}
