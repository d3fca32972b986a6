//go:build !unix

package main

// freeSpace does not know the free space on this system.
func freeSpace(string) (bytes int64, ok bool) { return 0, false }
