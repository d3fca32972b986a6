package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl/text"
)

// sources are the files of the shared data from which documents are cut: RFCs, licences, manuals as text and as pages.
var sources = []string{
	"neardup-rfc/docs.jsonl.gz",
	"neardup-npm-licences/docs.jsonl.gz",
	"neardup-manuals/docs.jsonl.gz",
	"docs/pages.jsonl.gz",
}

// Bounds of a passage, in tokens. Shorter paragraphs are headings, page numbers and the like.
const (
	minPassage = 8
	maxPassage = 60
)

// Pool is the text that documents are made from: distinct passages in the order of their sources. A passage is a
// paragraph, or up to maxPassage tokens of one.
type Pool struct {
	passages [][]byte
	seen     map[uint64]bool
}

// ReadPool reads the passages from the folder of the shared data. Paragraphs that are not ASCII are left out.
func ReadPool(dir string) (*Pool, error) {
	p := &Pool{seen: map[uint64]bool{}}
	for _, name := range sources {
		if err := p.readFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	p.seen = nil
	if len(p.passages) == 0 {
		return nil, fmt.Errorf("no passages in %s", dir)
	}
	return p, nil
}

// Len returns the number of passages.
func (p *Pool) Len() int { return len(p.passages) }

func (p *Pool) readFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var parser text.Parser
	lines := json.NewDecoder(z)
	for {
		var line struct{ Text, HTML string }
		switch err := lines.Decode(&line); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s at byte %d of the content: %w", path, lines.InputOffset(), err)
		}
		p.add([]byte(line.Text), "\n\n")
		if line.HTML != "" {
			p.add(bytes.Clone(parser.HTML([]byte(line.HTML)).Text), "\n")
		}
	}
}

// add adds the paragraphs of a text.
func (p *Pool) add(content []byte, border string) {
	for paragraph := range bytes.SplitSeq(content, []byte(border)) {
		if !isASCII(paragraph) {
			continue
		}
		for _, piece := range cut(paragraph, maxPassage) {
			p.addPassage(piece)
		}
	}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// addPassage adds a passage unless it is short or has the tokens of an earlier one.
func (p *Pool) addPassage(passage []byte) {
	var words []byte
	n := 0
	for from, to := range Tokens(passage) {
		words = append(append(words, bytes.ToLower(passage[from:to])...), ' ')
		n++
	}
	id := maphash.Bytes(hashSeed, words)
	if n >= minPassage && !p.seen[id] {
		p.seen[id] = true
		p.passages = append(p.passages, passage)
	}
}

// cut cuts a text into pieces of n tokens; the last may have fewer. Each keeps what is before and between its tokens, and
// the last also what is behind them.
func cut(content []byte, n int) [][]byte {
	var pieces [][]byte
	start, tokens := 0, 0
	for _, to := range Tokens(content) {
		if tokens++; tokens == n {
			pieces = append(pieces, content[start:to])
			start, tokens = to, 0
		}
	}
	switch {
	case tokens > 0 || len(pieces) == 0:
		pieces = append(pieces, content[start:])
	case start < len(content):
		last := len(pieces) - 1
		pieces[last] = content[start-len(pieces[last]):]
	}
	return pieces
}
