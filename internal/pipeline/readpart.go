package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// The read stage reads the inputs in parts. All workers work on one part at a time, and write all its results into
// one file of streams. Where parts end depends on the workers and the memory, but the records in all parts together
// do not. A stopped run continues after the last recorded part; a damaged part alone is made again.

// sizeOfPart returns the size at which a part ends: an eighth of the inputs if they are small, but at least a 32nd of
// sizes.read. A stopped run reads a stream from its start again, so the parts of a stream need not be small.
func (b *build) sizeOfPart() int64 {
	if b.stream {
		return b.sizes.read
	}
	total := int64(0)
	for _, in := range b.dir.Inputs {
		total += in.Bytes
	}
	return min(b.sizes.read, max(b.sizes.read/32, total/8))
}

// partPrefix begins the names of the files of parts.
const partPrefix = "work/read-"

// readFiles are the files of the parts of the stage read.
type readFiles struct {
	dir        *run.Dir
	partitions int
}

// file returns the name of the file of a part. The order of its blocks depends on the workers.
func (f readFiles) file(number int) string {
	return fmt.Sprintf("%s%06d%s", partPrefix, number, f.dir.Attempt)
}

// Streams of the file of a part, in this order: fragments and shingles by partition, redirects by partitions of their
// own, and records of fixed size and other data that is sorted or added up after all inputs have been read.
const (
	wordStream = iota
	captureStream
	shortStream
	hostStream
	placeStream
	dropStream // what was left out: the number of bytes of the keys (4), keys and lines of a run.Drops
	factStream // partFacts as JSON
	moreStreams
)

func (f readFiles) streams() int              { return 2*f.partitions + redirectPartitions + moreStreams }
func (f readFiles) shingleStream() int        { return f.partitions }
func (f readFiles) redirectStream() int       { return 2 * f.partitions }
func (f readFiles) moreStream(stream int) int { return 2*f.partitions + redirectPartitions + stream }

// fromRead returns the files of the read stage.
func (b *build) fromRead() readFiles { return readFiles{b.dir, b.partitions} }

// fragments returns the pieces of a partition of fragments.
func (f readFiles) fragments(partition int) []piece { return f.pieces(partition) }

// shingled returns the pieces of a partition of shingles.
func (f readFiles) shingled(partition int) []piece { return f.pieces(f.shingleStream() + partition) }

// redirects returns the pieces of a partition of redirects, one step each.
func (f readFiles) redirects(partition int) []piece { return f.pieces(f.redirectStream() + partition) }

// more returns the pieces of a stream without partitions.
func (f readFiles) more(stream int) []piece { return f.pieces(f.moreStream(stream)) }

// pieces returns the pieces of a stream in all parts.
func (f readFiles) pieces(stream int) (out []piece) {
	for _, name := range f.names() {
		out = append(out, piece{path: f.dir.Path(name), streams: f.streams(), stream: stream})
	}
	return out
}

// names returns the names of the files of all parts of the read stage.
func (f readFiles) names() (out []string) {
	for _, name := range f.dir.Outputs("read") {
		if strings.HasPrefix(name, partPrefix) {
			out = append(out, name)
		}
	}
	if f.dir.Done("read") {
		return out
	}
	for _, p := range f.dir.Parts("read") {
		out = append(out, p.Files...)
	}
	return out
}

// readPart is a recorded part.
type readPart struct {
	number int
	partNote
}

// partNote is the note in the receipt of a part.
type partNote struct {
	Inputs string `json:"inputs"` // hash of the paths of all inputs
	From   place  `json:"from"`
	To     place  `json:"to"`
	Counts counts `json:"counts"` // counts of what was read
}

// partFacts is what the file of a part contains besides records.
type partFacts struct {
	Files   []string      `json:"files"`   // files that the places in the part refer to
	Tallies []crawl.Tally `json:"tallies"` // tallies of what was left out
}

// partOutput is the file of a part that is being read.
type partOutput struct {
	*framed.Streams
	files fileNames
}

// reading reads the inputs in parts.
type reading struct {
	b       readStage
	readers []*pageReader
	inputs  string
}

func (b readStage) newReading() *reading {
	return &reading{b: b, inputs: fmt.Sprintf("%016x", xxh3.HashString(strings.Join(b.inputs, "\x00")))}
}

// addReaders adds a reader for each worker, which reading needs.
func (r *reading) addReaders() error {
	for range r.b.workers {
		reader, err := newPageReader(r.b)
		if err != nil {
			return err
		}
		r.readers = append(r.readers, reader)
	}
	return nil
}

// parts returns the recorded parts in order of their numbers. Parts contain the paths of the inputs; if the paths
// have changed, parts forgets all of them.
func (r *reading) parts() ([]readPart, error) {
	out, same, err := r.recorded()
	if err == nil && !same {
		return nil, r.b.dir.ForgetParts("read")
	}
	return out, err
}

// recorded returns the recorded parts in order of their numbers, and reports whether their inputs have the same
// paths.
func (r *reading) recorded() (out []readPart, same bool, err error) {
	for _, p := range r.b.dir.Parts("read") {
		part := readPart{number: p.Number}
		if err := json.Unmarshal(p.Note, &part.partNote); err != nil {
			return nil, false, err
		}
		if part.Inputs != r.inputs {
			return nil, false, nil
		}
		out = append(out, part)
	}
	return out, true, nil
}

// feed passes the batches of a stretch to the workers.
type feed struct {
	in    <-chan batch
	err   error // error of the goroutine that makes the batches; valid after in is closed
	at    *tracker
	ended bool
}

// produced makes the batches of a stretch.
type produced func(ctx context.Context, s stretch, out chan<- batch) error

// stretch reads a stretch in parts and records them.
func (r *reading) stretch(ctx context.Context, s stretch, produce produced) error {
	return r.inParts(ctx, s, produce, func(number int, note partNote) error {
		return r.b.dir.FinishPart("read", number, note, r.b.fromRead().file(number))
	})
}

// inParts reads a stretch in parts, and calls done with each part when its file is complete.
func (r *reading) inParts(ctx context.Context, s stretch, produce produced, done func(number int, note partNote) error) error {
	ctx, cancel := context.WithCancel(ctx)
	in := make(chan batch)
	f := &feed{in: in, at: track(s.from)}
	go func() {
		f.err = produce(ctx, s, in)
		close(in)
	}()
	defer func() {
		cancel()
		for range in {
		}
	}()
	for number := s.part; !f.ended; number++ {
		if err := r.part(ctx, f, s, number, done); err != nil {
			return err
		}
	}
	return nil
}

// part reads one part of a stretch. The last part of a stretch that has an end takes everything that is left. No
// empty part follows the last one.
func (r *reading) part(ctx context.Context, f *feed, s stretch, number int, done func(number int, note partNote) error) error {
	note := partNote{Inputs: r.inputs, From: f.at.place(), Counts: counts{}}
	first, ok := <-f.in
	f.ended = !ok
	if !ok && (f.err != nil || s.to == nil && number > 0) {
		return f.err
	}
	streams, err := framed.CreateStreams(r.b.dir.Temp(r.b.fromRead().file(number)), r.b.fromRead().streams())
	if err != nil {
		return err
	}
	defer streams.Close()
	out := &partOutput{Streams: streams}
	limit := r.b.sizeOfPart()
	if number == s.last {
		limit = math.MaxInt64
	}
	work := make(chan batch, len(r.readers))
	g, in := errgroup.WithContext(ctx)
	for _, w := range r.readers {
		w.begin(out)
		g.Go(func() error {
			if err := w.run(in, work); err != nil {
				return err
			}
			return w.end()
		})
	}
	g.Go(func() error {
		defer close(work)
		if !ok {
			return nil
		}
		return f.fill(in, first, limit, work)
	})
	if err := g.Wait(); err != nil {
		return err
	}
	note.To = f.at.place()
	if f.ended && s.to != nil {
		note.To = *s.to
	}
	if err := r.finish(out, &note); err != nil {
		return err
	}
	return done(number, note)
}

// fill passes on batches until the part is full or there are no more.
func (f *feed) fill(ctx context.Context, b batch, limit int64, work chan<- batch) error {
	size, from := int64(0), b.done
	for {
		select {
		case work <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
		f.at.pass(b)
		if size += b.size; size >= limit || b.done-from >= limit {
			return nil
		}
		var ok bool
		select {
		case b, ok = <-f.in:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !ok {
			f.ended = true
			return f.err
		}
	}
}

// finish adds up the counts of the workers and ends the file of a part.
func (r *reading) finish(out *partOutput, note *partNote) error {
	dropped := crawl.Ledger{}
	for _, w := range r.readers {
		note.Counts.add(w.counts())
		dropped.Merge(&w.dropped.Ledger)
	}
	facts, err := json.Marshal(partFacts{Files: out.files.names, Tallies: dropped.Tallies()})
	if err != nil {
		return err
	}
	if err := out.Append(r.b.fromRead().moreStream(factStream), append(make([]byte, framed.BlockHead), facts...)); err != nil {
		return err
	}
	return out.Close()
}
