package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/lshclust/lshclust/extsort"
)

// If a URL was captured more than once, the newest capture wins. Captures of the same time, and captures without a time,
// are decided by where they stand: the one in the later input wins, and within one input the later record. The same
// order decides everything else that captures compete for: where a URL leads, which original a revisit means, which
// rendered text a page takes. It depends on the inputs alone, in the order in which they were given, and not on which
// worker read a record or when.

// recordNumber is the place of a record in the input: the number of its input, from 0, and the number of the record within
// that input, in the order in which a crawl.Source yields its records. Numbers ascend in the order of reading with one
// worker.
type recordNumber uint64

const (
	placeBits = 40 // for the number of a record within its input
	inputBits = 22

	maxInputs = 1 << inputBits
)

// numberRecords returns the number of the nth record of an input, the first of n. It fails if they are more than can be
// numbered: the next number would be that of another input's record.
func numberRecords(input int, nth, n uint64) (recordNumber, error) {
	if n > 1<<placeBits || nth > 1<<placeBits-n {
		return 0, fmt.Errorf("more than %d records in one input are too many: split it into smaller files", uint64(1)<<placeBits)
	}
	return recordNumber(uint64(input)<<placeBits | nth), nil
}

// A capture that is one record has the number of that record. These bits mark captures that give links without their page,
// which compete among themselves.
const (
	givenCapture = 1 << 62
	partCapture  = 1 << 63 // beside givenCapture: the rows of a links table; the rest is a hash of their source and time
)

// inputOf returns the number of the input that holds a capture of one record.
func inputOf(capture uint64) uint32 {
	return uint32(capture &^ (givenCapture | partCapture) >> placeBits)
}

// captureOrder ranks the captures of one URL.
type captureOrder struct {
	millis int64
	record recordNumber // the last one, if a capture is made of several
}

// compare is negative if a wins over b: it is newer, or of the same time and stands later in the input.
func (a captureOrder) compare(b captureOrder) int {
	return cmp.Or(cmp.Compare(b.millis, a.millis), cmp.Compare(b.record, a.record))
}

// captureOrderSize is the size of the encoded form, whose bytes sort as compare does.
const captureOrderSize = 16

func (a captureOrder) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, ^(uint64(a.millis) ^ 1<<63))
	return binary.BigEndian.AppendUint64(dst, ^uint64(a.record))
}

func decodeCaptureOrder(b []byte) captureOrder {
	return captureOrder{int64(^binary.BigEndian.Uint64(b) ^ 1<<63), recordNumber(^binary.BigEndian.Uint64(b[8:]))}
}

// A capture record is the hash of the URL, the order of the capture, and its number, big-endian: sorted, the first of its
// kind of each URL wins.
const captureSize = 8 + captureOrderSize + 8

func captureRecord(dst []byte, url uint64, order captureOrder, number uint64) []byte {
	dst = order.append(binary.BigEndian.AppendUint64(dst, url))
	return binary.BigEndian.AppendUint64(dst, number)
}

// captureTime is the time by which captures of one URL are ordered: rendered text comes after all others.
func captureTime(millis int64, rendered bool) int64 {
	if rendered {
		return millis + renderedTime
	}
	return millis
}

const renderedTime = math.MinInt64 / 2

// rivalry follows the captures of one URL and one kind (pages, or links without their page), the winner first.
type rivalry struct {
	winner captureOrder
	number uint64
	begun  bool
	rivals bool // there is another capture, rendered text not counted
	equal  bool // of the same time as the winner
}

// loses tells whether a capture is not the one that counts.
func (v *rivalry) loses(order captureOrder, number uint64) bool {
	if !v.begun {
		*v = rivalry{winner: order, number: number, begun: true}
		return false
	}
	if number == v.number { // another row of the winner
		return false
	}
	if !v.rivals && (order.millis > renderedTime/2 || v.winner.millis < renderedTime/2) {
		v.rivals, v.equal = true, order.millis == v.winner.millis
	}
	return true
}

// captureCounts tells how many URLs had several captures and how the one that counts was chosen.
type captureCounts struct {
	replaced   int64 // captures, rendered text included
	superseded int64 // captures, rendered text of a page not included
	several    int64 // URLs with several captures
	byOrder    int64 // of these, decided by the order of inputs and records
}

// choose reads the captures in order and calls lost for those that another one replaces; rows of one capture may be
// given repeatedly.
func (n *captureCounts) choose(ctx context.Context, s *extsort.Sorter, lost func(number []byte, rendered bool) error) error {
	var of [2]rivalry
	url, any := uint64(0), false
	end := func() {
		if of[0].rivals || of[1].rivals {
			n.several++
		}
		if of[0].equal || of[1].equal {
			n.byOrder++
		}
		of = [2]rivalry{}
	}
	err := records(ctx, s, func(r []byte) error {
		if hash := binary.BigEndian.Uint64(r); !any || hash != url {
			end()
			url, any = hash, true
		}
		order, number := decodeCaptureOrder(r[8:]), binary.BigEndian.Uint64(r[8+captureOrderSize:])
		v := &of[number>>62&1]
		if !v.loses(order, number) {
			return nil
		}
		return lost(r[8+captureOrderSize:], order.millis < renderedTime/2 && v.winner.millis > renderedTime/2)
	})
	end()
	return err
}

// writeSuperseded writes the numbers of the captures that do not count, ascending.
func (b *build) writeSuperseded(ctx context.Context, s *extsort.Sorter) (n captureCounts, err error) {
	sorted, err := extsort.New(extsort.Config{Size: 8, Memory: b.memory / 16, Dir: b.dir.Temp("sort-read")})
	if err != nil {
		return n, err
	}
	defer sorted.Close()
	to := sorted.Appender()
	rendered := int64(0)
	err = n.choose(ctx, s, func(number []byte, text bool) error {
		if text {
			rendered++
		}
		return to.Append(number)
	})
	if err := cmp.Or(err, to.Close()); err != nil {
		return n, err
	}
	n.replaced, err = writeCaptureSet(b.dir.Temp(supersededFile), func(number func([]byte) error) error { return records(ctx, sorted, number) })
	n.superseded = n.replaced - rendered
	return n, err
}

// checkInputs refuses more inputs than can be numbered.
func checkInputs(inputs []string) error {
	if len(inputs) > maxInputs {
		return fmt.Errorf("%d inputs are too many: %d can be told apart; put them together into larger files", len(inputs), maxInputs)
	}
	return nil
}
