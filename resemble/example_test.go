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

// Pairs of texts whose sets of shingles nobody keeps: from signatures to candidates, and to exact figures by sets made when
// they are needed.
func ExampleCandidates() {
	texts := []string{
		"a rose is a rose is a rose and by any other name would smell as sweet as it does in every garden of this town",
		"the quick brown fox jumps over the lazy dog while the cat sleeps on a warm stone in the sun of the afternoon",
		"a rose is a rose is a rose and by any other name would smell as sweet as it does in every garden of this village",
	}
	scanner, err := shingles.NewScanner(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	signer, err := shingles.NewSigner(64)
	if err != nil {
		fmt.Println(err)
		return
	}
	var signatures []byte
	for _, text := range texts {
		signer.Reset()
		scanner.Scan(signer, []byte(text))
		signatures = signer.AppendSignature(signatures)
	}
	fmt.Printf("a pair of .7 is found with probability %.4f\n", shingles.Banded(16, 4, 0.7))
	size := func(id uint32) int { return len(texts[id]) / 4 } // about the number of shingles
	_, err = resemble.Candidates(context.Background(), signatures, size, resemble.BandConfig{}, func(a, b uint32) error {
		var setA, setB shingles.Set
		scanner.Scan(&setA, []byte(texts[a]))
		scanner.Scan(&setB, []byte(texts[b]))
		r, _ := setA.Compare(&setB).Resemblance()
		fmt.Printf("%d and %d: resemblance %.2f\n", a, b, r)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// a pair of .7 is found with probability 0.9881
	// 0 and 2: resemblance 0.91
}
