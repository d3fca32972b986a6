package minhash

func minima(dst *[lanes]uint32, c *block, elements []uint32) { minimaGo(dst, c, elements) }
