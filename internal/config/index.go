package config

import (
	"cmp"

	"github.com/lshclust/lshclust/lsh"
)

// Names of counts of the stage pair: the index that was used, and how many of the exact nearest neighbours of a
// sample the run stores.
const (
	CountKeySize   = "key_size"
	CountKeys      = "keys_of_a_bag"
	CountMaxBucket = "max_bucket"
	CountSample    = "sample"                   // nodes of the sample
	CountSampled   = "sample_neighbours"        // their exact nearest neighbours
	CountStored    = "sample_neighbours_stored" // how many of them are stored
)

// ChoosesIndex reports whether the run chooses the keys of the index by a sample of the crawl.
func (c Config) ChoosesIndex() bool { return c.Keys == 0 }

// WithIndex returns the configuration with the index that a run used, given the counts of its stage pair.
func (c Config) WithIndex(counts map[string]int64) Config {
	for name, to := range map[string]*int{CountKeySize: &c.KeySize, CountKeys: &c.Keys, CountMaxBucket: &c.MaxBucket} {
		if n, ok := counts[name]; ok {
			*to = int(n)
		}
	}
	return c
}

// Index returns the LSH index of the configuration. It has one key if the index has not been chosen yet.
func (c Config) Index() (*lsh.Index, error) {
	return lsh.NewIndex(c.Signatures, cmp.Or(c.KeySize, min(2, c.Signatures)), cmp.Or(c.Keys, 1), c.Seed)
}
