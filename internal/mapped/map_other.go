//go:build !unix

package mapped

func mapFile(path string) ([]byte, func() error, error) { return readFile(path) }
