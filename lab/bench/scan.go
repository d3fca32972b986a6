package bench

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/lshclust/lshclust/lab/bench/bands"
	"github.com/lshclust/lshclust/lab/bench/contest"
	"github.com/lshclust/lshclust/lab/bench/corpus"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// scanned is a corpus whose documents are read where they stand in a file.
type scanned struct {
	data       []byte
	lines      [][2]int // the text of each document: its place in data
	words      []uint32
	signatures []byte
	bins       int
	pairs      [][2]uint32
	found      []resemble.Pair
}

// runScan measures, on one core, the parts of the way from a corpus to its verified pairs: reading alone, scanning,
// signing, candidates by bands, and comparing sets.
func runScan(args []string) error {
	flags := flag.NewFlagSet("scan", flag.ExitOnError)
	dir := flags.String("corpus", "", "folder that bench corpus has written")
	file := flags.String("file", "", "measure this file of JSON Lines with \"text\" as the last field instead")
	floor := flags.Float64("resemblance", 0.7, "least resemblance")
	memory := flags.Int64("memory", 256<<20, "bytes for sets")
	s := scanned{}
	flags.IntVar(&s.bins, "bins", 64, "bins of a signature")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := s.open(cmp.Or(*file, filepath.Join(*dir, contest.CorpusFile))); err != nil {
		return err
	}
	began := cpu()
	for _, part := range []struct {
		name string
		work func() error
	}{
		{"lines", s.read}, {"scan", s.scan}, {"scan and sign", s.sign},
		{"candidates", func() error { return s.candidates(*floor, *memory) }}, {"verify", func() error { return s.verify(*floor, *memory) }},
	} {
		start := cpu()
		if err := part.work(); err != nil {
			return err
		}
		took := cpu() - start
		fmt.Printf("%-14s %6.3f s %7.1f MB/s\n", part.name, took.Seconds(), float64(len(s.data))/1e6/took.Seconds())
		if part.name == "scan" {
			began += took // the next part does it again
		}
	}
	words := uint64(0)
	for _, n := range s.words {
		words += uint64(n)
	}
	fmt.Printf("%-14s %6.3f s; %d documents, %d words, %d candidates, %d pairs\n", "all", (cpu() - began).Seconds(), len(s.lines), words, len(s.pairs), len(s.found))
	return s.score(*dir)
}

func (s *scanned) open(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s.data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	return err
}

// read finds the lines and their texts.
func (s *scanned) read() error {
	for at := 0; at < len(s.data); {
		end := at + bytes.IndexByte(s.data[at:], '\n')
		if end < at {
			end = len(s.data)
		}
		line := s.data[at:end]
		from, to := bytes.Index(line, []byte(`"text"`)), bytes.LastIndexByte(line, '"')
		if from < 0 {
			return fmt.Errorf("byte %d: no text", at)
		}
		from += 6 + bytes.IndexByte(line[from+6:], '"') + 1
		s.lines = append(s.lines, [2]int{at + from, at + to})
		at = end + 1
	}
	return nil
}

func (s *scanned) text(id uint32) []byte { return s.data[s.lines[id][0]:s.lines[id][1]] }

// scan finds the shingles and does nothing with them.
func (s *scanned) scan() error {
	scanner, err := shingles.NewScanner(corpus.W)
	if err != nil {
		return err
	}
	s.words = make([]uint32, len(s.lines))
	for id := range s.lines {
		s.words[id] = uint32(scanner.ScanJSON(nil, s.text(uint32(id))).Words)
	}
	return nil
}

func (s *scanned) sign() error {
	scanner, err := shingles.NewScanner(corpus.W)
	if err != nil {
		return err
	}
	signer, err := shingles.NewSigner(s.bins)
	if err != nil {
		return err
	}
	s.signatures = make([]byte, 0, s.bins*len(s.lines))
	for id := range s.lines {
		signer.Reset()
		scanner.ScanJSON(signer, s.text(uint32(id)))
		s.signatures = signer.AppendSignature(s.signatures)
	}
	return nil
}

func (s *scanned) size(id uint32) int { return int(s.words[id]) }

func (s *scanned) candidates(floor float64, memory int64) error {
	c := resemble.BandConfig{Bins: s.bins, Floor: floor, Resources: resemble.Resources{Workers: 1, Memory: memory}}
	_, err := resemble.Candidates(context.Background(), s.signatures, s.size, c, func(a, b uint32) error {
		s.pairs = append(s.pairs, [2]uint32{a, b})
		return nil
	})
	slices.SortFunc(s.pairs, func(x, y [2]uint32) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	return err
}

func (s *scanned) verify(floor float64, memory int64) error {
	scanner, err := shingles.NewScanner(corpus.W)
	if err != nil {
		return err
	}
	fetch := func(_ int, id uint32, set *shingles.Set) error {
		scanner.ScanJSON(set, s.text(id))
		return nil
	}
	c := bands.VerifyConfig{Floor: floor, Resources: resemble.Resources{Workers: 1, Memory: memory}}
	_, err = bands.Verify(context.Background(), s.all(), bands.Texts{Size: s.size, Fetch: fetch}, c, func(p resemble.Pair) error {
		s.found = append(s.found, p)
		return nil
	})
	return err
}

func (s *scanned) all() iter.Seq2[uint32, uint32] {
	return func(yield func(a, b uint32) bool) {
		for _, p := range s.pairs {
			if !yield(p[0], p[1]) {
				return
			}
		}
	}
}

// score judges the pairs as those of a contestant.
func (s *scanned) score(dir string) error {
	if dir == "" {
		return nil
	}
	out, err := os.MkdirTemp("", "lshclust-scan")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	var b strings.Builder
	for _, p := range s.found {
		fmt.Fprintf(&b, "%s\t%s\n", s.url(p.A), s.url(p.B))
	}
	if err := os.WriteFile(filepath.Join(out, contest.PairsFile), []byte(b.String()), 0o666); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, contest.ClustersFile), nil, 0o666); err != nil {
		return err
	}
	return scorePairs([]string{"-corpus", dir, "-out", out})
}

// url returns the first string of the line of a document that begins with "http".
func (s *scanned) url(id uint32) string {
	start := bytes.LastIndexByte(s.data[:s.lines[id][0]], '\n') + 1
	_, rest, _ := bytes.Cut(s.data[start:s.lines[id][0]], []byte(`"http`))
	url, _, _ := bytes.Cut(rest, []byte{'"'})
	return "http" + string(url)
}
