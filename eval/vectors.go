package eval

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/urls"
)

// VectorBaseline returns a baseline that ranks targets by the cosine of the vectors in a file, such as sentence
// embeddings. Each line of the file has a URL, a tab, and numbers separated by spaces, as many on every line. Lines of
// URLs that are not targets are ignored, and a target without a line has no neighbours. All pairs of targets are
// compared.
func VectorBaseline(name, path string) Baseline {
	return Baseline{
		Name: name, About: "cosine of the vectors in " + path, Candidates: TargetsAlone,
		rank: func(b *Baselines) ([]vector, []int32, measure, error) {
			dense, err := readVectors(path, b.Directory, b.Run.Rules())
			if err != nil {
				return nil, nil, measure{}, err
			}
			vectors := make([]vector, len(dense))
			for i, v := range dense {
				if v != nil {
					vectors[i].add(0, 1) // a dimension that all have in common, so that all are compared
				}
			}
			return vectors, nil, angular(dense), nil
		},
	}
}

// angular is (1+cosine)/2 of dense vectors of length 1. It orders pairs as the cosine does and is never negative. It
// ignores the sparse vectors, which only say what is compared with what.
func angular(dense [][]float32) measure {
	return measure{
		add:    dot.add,
		finish: func(q, t int32, _ float64) float64 { return max(0, (1+product(dense[q], dense[t]))/2) },
	}
}

// product returns the dot product of two vectors of the same length. Four sums are twice as fast as one.
func product(a, b []float32) float64 {
	var s [4]float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		for j := range s {
			s[j] += float32(a[i+j] * b[i+j]) // the conversion forces rounding on machines with fused multiply-add
		}
	}
	for ; i < len(a); i++ {
		s[0] += float32(a[i] * b[i])
	}
	return float64(s[0]+s[1]) + float64(s[2]+s[3])
}

// maxVectorLine is the maximum length of a line of a file of vectors: 80,000 numbers of 12 bytes.
const maxVectorLine = 1 << 20

// readVectors reads the vector of each target, normalised to length 1. A target without one has nil.
func readVectors(path string, d *score.Directory, rules *urls.Rules) ([][]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	vectors := make([][]float32, d.Len())
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 64<<10), maxVectorLine)
	line, size := 0, 0
	for s.Scan() {
		line++
		url, numbers, _ := strings.Cut(strings.TrimRight(s.Text(), "\r"), "\t")
		v, err := parseVector(numbers)
		if err == nil && line > 1 && len(v) != size {
			err = fmt.Errorf("%d numbers, but %d on the first line", len(v), size)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		size = len(v)
		canonical, err := rules.Canonical(url)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		if t, ok := d.Index(canonical); ok {
			vectors[t] = v
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, line+1, err)
	}
	return vectors, nil
}

// parseVector parses numbers separated by spaces and divides them by the length of the vector.
func parseVector(text string) ([]float32, error) {
	fields := strings.Fields(text)
	numbers, sum := make([]float64, len(fields)), 0.0
	for i, field := range fields {
		x, err := strconv.ParseFloat(field, 32)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%q is not a number: a line is a URL, a tab, and numbers separated by spaces", field)
		}
		numbers[i] = x
		sum += float64(x * x)
	}
	if sum == 0 {
		return nil, errors.New("a vector has no number other than 0")
	}
	v, length := make([]float32, len(numbers)), math.Sqrt(sum)
	for i, x := range numbers {
		v[i] = float32(x / length)
	}
	return v, nil
}
