//go:build !amd64 || noasm

package minhash

func setAVX2(bool) bool { return useAVX2 }
