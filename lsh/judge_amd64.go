//go:build amd64 && !noasm

package lsh

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// useAVX2 is a variable so that tests can compare both ways.
var useAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// rows is rowsGo in assembly if the processor allows it. There must be a hit for each row.
func (j *judge) rows(hits []hit, a, rows []byte) (found int) {
	n := len(rows) / judgeStride
	if !useAVX2 || n == 0 {
		return j.rowsGo(hits, a, rows)
	}
	_, _ = hits[n-1], a[judgeStride-1]
	return judgeAVX2((*byte)(unsafe.Pointer(&hits[0])), &a[0], &rows[0], n, (*byte)(unsafe.Pointer(j)))
}
