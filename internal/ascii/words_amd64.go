//go:build amd64 && !noasm

package ascii

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both ways.
var useAVX2 = cpu.X86.HasAVX2

func wordMap(p *[64]byte) (word, high, slash uint64) {
	if useAVX2 {
		return wordMapAVX2(p)
	}
	return wordMapGo(p)
}
