package tables

import "fmt"

// ClusterID returns the public id of the cluster whose center or representative has the given canonical URL: the [Hash]
// of the URL as 16 hexadecimal digits.
func ClusterID(url string) string { return fmt.Sprintf("%016x", Hash(url)) }

// TreeID returns the public id of a node of the tree of topics: the [Hash] of the URL of its center as 16 hexadecimal
// digits, a dot and the level.
func TreeID(url string, level int) string {
	return fmt.Sprintf("%s.%d", ClusterID(url), level)
}
