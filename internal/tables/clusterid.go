package tables

import "fmt"

// ClusterID returns the public id of the cluster whose center or representative has the given canonical URL: the [Hash]
// of the URL as 16 hexadecimal digits.
func ClusterID(url string) string { return fmt.Sprintf("%016x", Hash(url)) }

// TreeID returns the public id of a node of the tree of topical clusters: for a leaf, level 0, the id of its cluster;
// for a node of a higher level the id of the cluster at its center, a dot and the level.
func TreeID(url string, level int) string {
	if level == 0 {
		return ClusterID(url)
	}
	return fmt.Sprintf("%s.%d", ClusterID(url), level)
}
