module github.com/lshclust/lshclust/bench

go 1.26.0

require (
	github.com/lshclust/lshclust v0.0.0-00010101000000-000000000000
	github.com/zeebo/xxh3 v1.1.0
)

require (
	github.com/google/btree v1.1.3 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/kljensen/snowball v0.10.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/lshclust/lshclust => ..
