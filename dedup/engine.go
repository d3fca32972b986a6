package dedup

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/shingles"
)

// engine turns records into words, shingles and signatures. Each goroutine has its own.
type engine struct {
	scanner *shingles.Scanner
	signer  *shingles.Signer
	sampler *sampler     // nil unless samples are wanted
	list    *shingleList // nil unless there are evaluation sets
	parser  text.Parser
	plain   []byte // the text without escapes
	sign    []byte
}

func newEngine() (*engine, error) {
	e := &engine{}
	var err error
	if e.scanner, err = shingles.NewScanner(shingleWords); err == nil {
		e.signer, err = shingles.NewSigner(bins)
	}
	return e, err
}

// text returns the text of a record, which is valid until the next call.
func (e *engine) text(r *shard.Record) []byte {
	switch {
	case r.HTML != nil:
		return e.parser.HTML(r.HTML).Text
	case r.Escaped && bytes.IndexByte(r.Text, '\\') >= 0:
		e.plain = shingles.AppendUnescaped(e.plain[:0], r.Text)
		return e.plain
	}
	return r.Text
}

// read gives the shingles of a record to a sink. It returns what is known about the words, and a hash of the text as it is
// written.
func (e *engine) read(sink shingles.Sink, r *shard.Record) (shingles.Scanned, uint64) {
	if r.Escaped {
		return e.scanner.ScanJSON(sink, r.Text), xxh3.Hash(r.Text)
	}
	t := e.text(r)
	return e.scanner.Scan(sink, t), xxh3.Hash(t)
}

// signature returns what read returns, and the signature, which is valid until the next call.
func (e *engine) signature(r *shard.Record) (shingles.Scanned, uint64, []byte) {
	e.signer.Reset()
	w, hash := e.read(e, r)
	e.sign = e.signer.AppendSignature(e.sign[:0])
	return w, hash, e.sign
}

// AddAll implements shingles.Sink: it passes the shingles to the signer, the sampler and the list.
func (e *engine) AddAll(values []uint64) {
	e.signer.AddAll(values)
	if e.sampler != nil {
		e.sampler.AddAll(values)
	}
	if e.list != nil {
		e.list.AddAll(values)
	}
}
