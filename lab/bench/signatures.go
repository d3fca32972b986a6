package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/lab/bench/contest"
	"github.com/lshclust/lshclust/lab/bench/corpus"
	"github.com/lshclust/lshclust/minhash"
)

// permutations is the number of signatures of a document in the contest of signatures.
const permutations = 128

// runSignatures compares how fast lshclust and rensa sign the words of documents, and prints the table.
func runSignatures(args []string) error {
	var p places
	flags := flag.NewFlagSet("signatures", flag.ExitOnError)
	p.flags(flags)
	dir := flags.String("corpus", "", "folder that bench corpus has written")
	noasm := flags.String("noasm", "", "this program built with -tags noasm, to measure lshclust without assembly too")
	documents := flags.Int("documents", 10000, "number of documents to sign")
	passes := flags.Int("passes", 5, "how often a program signs them in one run")
	rounds := flags.Int("rounds", 5, "how often each program runs")
	report := flags.String("json", "", "file to write the results to as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	work := []string{filepath.Join(*dir, contest.CorpusFile), strconv.Itoa(*documents), strconv.Itoa(*passes)}
	signers := []contest.Signer{
		{Name: "lshclust", Settings: "128 linear permutations", Command: append([]string{own, "bench", "sign"}, work...)},
		{Name: "rensa", Settings: "0.5.0, R-MinHash of 128, digest_matrix_from_token_sets",
			Command: append([]string{p.python("rensa"), filepath.Join(p.scripts, "sign_rensa.py")}, work...)},
	}
	if *noasm != "" {
		signers = append(signers, contest.Signer{Name: "lshclust", Settings: "the same without assembly",
			Command: append([]string{*noasm, "bench", "sign"}, work...)})
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rates, err := contest.Signatures(ctx, signers, *rounds)
	if err != nil {
		return err
	}
	contest.SignatureTable(os.Stdout, rates)
	return writeJSON(*report, rates)
}

// sign signs the words of the first documents of a corpus and prints what a contest.Signer prints.
func sign(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: bench sign CORPUS DOCUMENTS PASSES")
	}
	documents, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	passes, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	words, err := readWords(args[0], documents)
	if err != nil {
		return err
	}
	family := minhash.NewFamily(permutations, 1)
	size := family.RowSize()
	var elements []uint32
	var set distinct
	tokens, began := 0, cpu()
	for range passes {
		rows := make([]byte, size*len(words))
		for i, document := range words {
			elements = set.elements(elements, document)
			family.Sign(rows[i*size:][:size], elements)
			tokens += len(document)
		}
	}
	fmt.Println(tokens, (cpu() - began).Seconds())
	return nil
}

// distinct tells the distinct words of a document by their hashes, since a word that is repeated changes no minimum.
type distinct struct {
	slots []uint64 // number of the document and hash of a word
	shift int
	pass  uint64
}

// elements returns an element for each distinct word, in dst. Whether a word is new cannot be predicted and decides
// no branch.
func (d *distinct) elements(dst []uint32, words []string) []uint32 {
	if width := bits.Len(uint(4 * len(words))); 1<<width > len(d.slots) {
		*d = distinct{slots: make([]uint64, 1<<width), shift: 32 - width}
	}
	d.pass++
	dst = slices.Grow(dst[:0], len(words))[:len(words)]
	n, slots, mask := 0, d.slots, uint32(len(d.slots)-1)
	for _, word := range words {
		hash := uint32(xxh3.HashString(word))
		key := d.pass<<32 | uint64(hash)
		i := hash >> (d.shift & 31) & mask
		differs := slots[i] ^ key
		for ; differs-1 < 1<<32-1; differs = slots[i] ^ key { // a word of this document, but another one
			i = (i + 1) & mask
		}
		dst[n] = hash
		n += int((differs | -differs) >> 63)
		slots[i] = key
	}
	for i, hash := range dst[:n] {
		dst[i] = minhash.Element(hash, 1)
	}
	return dst[:n]
}

// readWords returns the words of the first n documents of a corpus file.
func readWords(path string, n int) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := json.NewDecoder(f)
	all := make([][]string, 0, n)
	for len(all) < n && lines.More() {
		var line corpus.Line
		if err := lines.Decode(&line); err != nil {
			return nil, fmt.Errorf("%s at byte %d: %w", path, lines.InputOffset(), err)
		}
		text := bytes.ToLower([]byte(line.Text))
		var words []string
		for from, to := range corpus.Tokens(text) {
			words = append(words, string(text[from:to]))
		}
		all = append(all, words)
	}
	return all, nil
}

// cpu returns the processor time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
