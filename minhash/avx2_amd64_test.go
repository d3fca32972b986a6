//go:build amd64 && !noasm

package minhash

// setAVX2 switches the assembly and returns how it was before.
func setAVX2(on bool) bool {
	old := useAVX2
	useAVX2 = on
	return old
}
