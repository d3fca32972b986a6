package eval

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/urls"
	"pgregory.net/rapid"
)

// TestProduct compares with one sum in float64, for lengths that are no multiples of four too.
func TestProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOf(rapid.Float32Range(-1, 1)).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float32Range(-1, 1), len(a), len(a)).Draw(t, "b")
		want := 0.0
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		if got := product(a, b); math.Abs(got-want) > 1e-6*float64(len(a)+1) || got != product(b, a) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestReadVectors(t *testing.T) {
	d, err := score.NewDirectory([]score.Label{{URL: "https://a.example", Path: []string{"x"}}, {URL: "https://b.example", Path: []string{"y"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	read := func(content string) ([][]float32, error) {
		path := filepath.Join(t.TempDir(), "v.tsv")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return readVectors(path, d, urls.DefaultRules())
	}
	vectors, err := read("http://www.B.example/\t3 -4\r\nhttps://c.example\t1 1\n")
	if err != nil || vectors[0] != nil || len(vectors[1]) != 2 || vectors[1][0] != 0.6 || vectors[1][1] != -0.8 {
		t.Errorf("%v, %v", vectors, err)
	}
	for content, want := range map[string]string{
		"https://a.example\t0 0\n":                                     "v.tsv:1: a vector has no number other than 0",
		"https://a.example\n":                                          "v.tsv:1: a vector has no number other than 0",
		"https://a.example\t1 NaN\n":                                   `v.tsv:1: "NaN" is not a number`,
		"https://a.example\t1 inf\n":                                   `v.tsv:1: "inf" is not a number`,
		"https://a.example\t1e99\n":                                    `v.tsv:1: "1e99" is not a number`,
		"https://a.example\t1 2\nhttps://c.example\t1\n":               "v.tsv:2: 1 numbers, but 2 on the first line",
		"no url\t1 2\n":                                                "v.tsv:1: ",
		"https://a.example\t1\n" + strings.Repeat("1 ", maxVectorLine): "v.tsv:2: ",
	} {
		if _, err := read(content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", content, err, want)
		}
	}
}
