// Package crawls answers questions about several crawls of the same sites ([S1] 4 and 5). [NewCrawls] takes their runs in
// order of time, and finds what changed and where dead URLs are in the last one.
package crawls
