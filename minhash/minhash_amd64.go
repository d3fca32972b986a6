//go:build amd64 && !noasm

package minhash

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// useAVX2 is a variable so that tests can compare both ways.
var useAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

func minima(dst *[lanes]uint32, c *block, elements []uint32) {
	if !useAVX2 || len(elements) == 0 {
		minimaGo(dst, c, elements)
		return
	}
	minimaAVX2(dst, (*byte)(unsafe.Pointer(c)), &elements[0], len(elements))
}

// equal returns the set of the equal bytes of two planes of the same length, at most 128.
func equal(a, b []byte) Bits {
	if !useAVX2 || len(a) < 32 {
		return equalGo(a, b)
	}
	lo, hi := equalAVX2(&a[0], &b[:len(a)][0], len(a))
	return Bits{lo, hi}
}

// mask returns the set of the equal signatures of two rows of the same length.
func mask(a, b []byte) Bits {
	m := len(a) / 3
	if !useAVX2 || m < 32 || m > MaxMask {
		return maskGo(a, b)
	}
	lo, hi := maskAVX2(&a[0], &b[:len(a)][0], m)
	return Bits{lo, hi}
}
