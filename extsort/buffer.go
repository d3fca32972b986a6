package extsort

import "github.com/lshclust/lshclust/internal/huge"

// newBuffer makes a buffer.
func newBuffer(n int) []byte { return huge.Bytes(n) }
