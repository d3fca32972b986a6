//go:build !amd64 || noasm

package ascii

func wordMap(p *[64]byte) (word, high, slash uint64) { return wordMapGo(p) }
