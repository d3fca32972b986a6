//go:build !unix

package mapped

func mapFile(path string) ([]byte, func() error, error) { return readFile(path) }

func adviseScattered([]byte, bool) {}

func adviseNeeded(_, _ []byte) {}
