package resemble_test

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
	"github.com/zeebo/xxh3"
)

// From texts to clusters.
func Example() {
	texts := []string{
		"a rose is a rose is a rose and by any other name would smell as sweet",
		"the quick brown fox jumps over the lazy dog",
		"a rose is a rose is a rose and by any other name would smell as sweet indeed",
		"The quick brown fox jumps over the lazy dog.",
	}
	shingler, err := shingles.New(shingles.Config{W: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	var docs resemble.Collection
	for _, text := range texts {
		var set shingles.Set
		shingler.Sketch(&set, []byte(text))
		docs = append(docs, resemble.Document{Values: set.Values(), Bytes: xxh3.HashString(text), Lexical: shingler.Digest()})
	}
	ctx := context.Background()
	equal, err := resemble.FindEqual(ctx, docs, resemble.Resources{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var pairs []resemble.Pair
	_, err = resemble.Pairs(ctx, docs, equal, nil, resemble.Config{}, func(some []resemble.Pair) error {
		pairs = append(pairs, some...)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	each := func(yield func(resemble.Pair, error) bool) {
		for _, p := range pairs {
			if !yield(p, nil) {
				return
			}
		}
	}
	clusters, err := resemble.Cluster(ctx, equal, each, resemble.ClusterConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id := range uint32(len(texts)) {
		m := clusters.Member(id)
		fmt.Printf("%d is with %d: %v, via %v, resemblance %.2f\n", id, m.Representative, m.Relation, m.Via, m.Resemblance)
	}
	// Output:
	// 0 is with 0: alone, via self, resemblance 1.00
	// 1 is with 1: alone, via self, resemblance 1.00
	// 2 is with 0: similar, via pair, resemblance 0.92
	// 3 is with 1: lexical, via equal, resemblance 1.00
}
