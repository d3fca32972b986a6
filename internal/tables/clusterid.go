package tables

import "fmt"

// ClusterID returns the public id of the cluster whose center or representative has the given canonical URL: the [Hash]
// of the URL as 16 hexadecimal digits.
func ClusterID(url string) string { return fmt.Sprintf("%016x", Hash(url)) }
