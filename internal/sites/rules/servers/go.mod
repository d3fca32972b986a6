module github.com/lshclust/lshclust/internal/sites/rules/servers

go 1.26.0

require github.com/lshclust/lshclust v0.0.0-00010101000000-000000000000

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/lshclust/lshclust => ../../../..
