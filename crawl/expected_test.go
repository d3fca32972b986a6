package crawl_test

import (
	_ "embed" // for fixtures.tsv
	"strconv"
	"strings"
)

//go:embed testdata/fixtures.tsv
var fixtures string

// Fixture is the expected result for one file of data/warc.
type Fixture struct {
	Pages  int
	Damage string // reasons with counts, "" for none
	Rest   string // other reasons, if the manifest does not count records
	Note   string
}

// WarcFixtures holds the expected result for each file of data/warc.
var WarcFixtures = func() map[string]Fixture {
	all := map[string]Fixture{}
	for line := range strings.Lines(fixtures) {
		if f := strings.Split(strings.TrimSpace(line)+"\t\t\t\t", "\t"); line[0] != '#' {
			n, _ := strconv.Atoi(f[1])
			all[f[0]] = Fixture{n, f[2], f[3], f[4]}
		}
	}
	return all
}()
