//go:build !amd64 || noasm

package minhash

const useAVX2 = false

func minima(dst *[lanes]uint32, c *block, elements []uint32) { minimaGo(dst, c, elements) }

func equal(a, b []byte) Bits { return equalGo(a, b) }

func mask(a, b []byte) Bits { return maskGo(a, b) }
