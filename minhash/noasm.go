//go:build !amd64 || noasm

package minhash

func minima(dst *[lanes]uint32, c *block, elements []uint32) { minimaGo(dst, c, elements) }
