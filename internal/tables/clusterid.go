package tables

import "fmt"

// ClusterID returns the public id of the cluster whose center or representative has the given canonical URL: 16 hex digits
// of its [Hash].
func ClusterID(url string) string { return fmt.Sprintf("%016x", Hash(url)) }
