package corpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Pair is two documents and their resemblance, exact in the truth and an estimate or nothing in what a contestant
// reports.
type Pair struct {
	A, B    string
	Jaccard float64
}

// ReadPairs reads a table of pairs with the columns url_a, url_b and, if there is one, a figure. Lines that begin with #
// are left out.
func ReadPairs(path string) ([]Pair, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var pairs []Pair
	for lines := bufio.NewScanner(f); ; {
		if !lines.Scan() {
			return pairs, lines.Err()
		}
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < 2 {
			return nil, fmt.Errorf("%s: pair %d: %q has no second column", path, len(pairs), line)
		}
		pair := Pair{A: fields[0], B: fields[1]}
		if len(fields) > 2 {
			if pair.Jaccard, err = strconv.ParseFloat(fields[2], 64); err != nil {
				return nil, fmt.Errorf("%s: pair %d: %w", path, len(pairs), err)
			}
		}
		pairs = append(pairs, pair)
	}
}

// Judge knows the shingles of the documents of a corpus file.
type Judge struct{ sets map[string][]uint64 }

// NewJudge reads the documents that wanted says from a corpus file.
func NewJudge(path string, wanted func(url string) bool) (*Judge, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	j := &Judge{sets: map[string][]uint64{}}
	for lines := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)); ; {
		var line Line
		switch err := lines.Decode(&line); {
		case errors.Is(err, io.EOF):
			return j, nil
		case err != nil:
			return nil, fmt.Errorf("%s at byte %d: %w", path, lines.InputOffset(), err)
		}
		if wanted(line.URL) {
			j.sets[line.URL] = Shingles([]byte(line.Text))
		}
	}
}

// Jaccard returns the resemblance of two documents, or an error if the corpus does not have both.
func (j *Judge) Jaccard(a, b string) (float64, error) {
	x, xok := j.sets[a]
	y, yok := j.sets[b]
	if !xok || !yok {
		return 0, fmt.Errorf("a pair of documents that the corpus does not have: %s %s", a, b)
	}
	return Jaccard(x, y), nil
}
