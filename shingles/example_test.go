package shingles_test

import (
	"fmt"

	"github.com/lshclust/lshclust/shingles"
)

// The resemblance of two texts, exact and estimated from sketches.
func Example() {
	a := "A rose is a rose is a rose, and by any other name would smell as sweet."
	b := "A rose is a rose is a rose. By any other name it would smell as sweet."
	shingler, err := shingles.New(shingles.Config{W: 3}) // shingles of three words
	if err != nil {
		fmt.Println(err)
		return
	}
	var setA, setB shingles.Set // all shingles
	shingler.Sketch(&setA, []byte(a))
	shingler.Sketch(&setB, []byte(b))
	exact, _ := setA.Compare(&setB).Resemblance()

	sketcher := shingles.Sketcher{Kind: shingles.Min, S: 10} // the ten smallest of them
	stored := func(text string) shingles.Stored {
		sketch := sketcher.New()
		n := shingler.Sketch(sketch, []byte(text))
		return shingles.Stored{Values: sketch.Values(), Size: n}
	}
	overlap := sketcher.Overlap(stored(a), stored(b))
	estimate, _ := overlap.Resemblance()
	fmt.Printf("resemblance %.2f, estimate %.2f ± %.2f\n", exact, estimate, overlap.StdErr())
	// Output: resemblance 0.41, estimate 0.40 ± 0.14
}

func ExampleShingler_Locate() {
	s, _ := shingles.New(shingles.Config{W: 2})
	text := []byte("A rose, a Rose!")
	for v, span := range s.Locate(text) {
		fmt.Printf("%010x %s\n", v, text[span.Start:span.End])
	}
	// Output:
	// 08f5116704 A rose
	// c47566c241 rose, a
	// 08f5116704 a Rose
}
