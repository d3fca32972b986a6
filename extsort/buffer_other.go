//go:build !linux

package extsort

func newBuffer(n int) []byte { return make([]byte, n) }
