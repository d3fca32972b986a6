package warc_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/crawltest"
	"github.com/lshclust/lshclust/crawl/record"
)

// said is what a source returned at one position: a record, or a skip that is not damage.
type said struct {
	at, inner int64
	what      uint64
}

// listen reads an archive from memory. It returns everything the source returned, and the number of damaged places.
func listen(t testing.TB, name string, b []byte) (out []said, damaged int, passed int64) {
	t.Helper()
	src, err := crawl.NewSource(name, bytes.NewReader(b), record.Options{})
	if err != nil {
		if !errors.As(err, new(*record.Skip)) {
			t.Fatal(err)
		}
		return nil, 1, 0
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		var s *record.Skip
		switch {
		case err == nil:
			out = append(out, said{rec.Pos.Offset, rec.Pos.Inner, xxh3.Hash(rec.Data) ^ xxh3.HashString(rec.URL+rec.About().Type)})
		case !errors.As(err, &s):
			t.Fatal(err)
		case s.Reason.Damage():
			damaged++
			passed += s.Passed
		case s.Reason != record.ReasonOneMember:
			out = append(out, said{s.Pos.Offset, s.Pos.Inner, xxh3.HashString(string(s.Reason) + s.URL)})
		}
	}
	return out, damaged, passed
}

const holeSize = 64

// lostBehindHole returns the records that a hole at offset did not touch and that were nevertheless not read as before.
func lostBehindHole(before []said, size int64, after []said, offset int64) (lost []said) {
	for i, r := range before {
		end := size // end of the member that contains the record, or of the record
		if j := slices.IndexFunc(before[i:], func(n said) bool { return n.at > r.at }); j >= 0 {
			end = before[i+j].at
		}
		touched := r.at < offset+holeSize && offset < end
		if !touched && !slices.Contains(after, r) {
			lost = append(lost, r)
		}
	}
	return lost
}

func TestHoles(t *testing.T) { holes(t, 5) }

func TestLongHoles(t *testing.T) { holes(t, 1000) }

// holes punches a hole of 64 bytes into every sound archive of the shared data, at up to so many offsets and with several
// fillings. Only the records that the hole touches may be lost.
func holes(t *testing.T, most int) {
	dir := crawltest.Path(t, "warc")
	holes, files := 0, 0
	for name, want := range crawltest.WarcFixtures {
		if want.Damage != "" || strings.HasSuffix(name, ".cdxj") || !strings.Contains(name, "arc") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files++
		holes += punch(t, name, raw, most)
	}
	for name, raw := range map[string][]byte{
		"x.warc.zst": crawltest.Zstd(nil, crawltest.WarcPage(1), crawltest.WarcPage(2), crawltest.WarcPage(3), crawltest.WarcPage(9), crawltest.WarcPage(20)),
		"x.arc.gz":   crawltest.Gzip(crawltest.ArcHead, crawltest.ArcPage(1), crawltest.ArcPage(2), crawltest.ArcPage(3), crawltest.ArcPage(9), crawltest.ArcPage(20)),
	} {
		files++
		holes += punch(t, name, raw, most)
	}
	t.Logf("%d holes in %d files", holes, files)
}

// punch makes the holes: near the start, near the end, and at random offsets between them.
func punch(t *testing.T, name string, raw []byte, most int) (holes int) {
	before, damaged, _ := listen(t, name, raw)
	if damaged > 0 {
		t.Errorf("%s: %d damaged places in a sound file", name, damaged)
	}
	rnd := rand.New(rand.NewPCG(1, xxh3.HashString(name)))
	n := min(len(raw)/8, max(20, 8<<20/len(raw)), most)
	offsets := []int64{0, 1, 8, int64(len(raw) - holeSize)}
	for range n {
		offsets = append(offsets, rnd.Int64N(int64(len(raw)-holeSize)))
	}
	for i, offset := range offsets {
		b := bytes.Clone(raw)
		hole := b[offset : offset+holeSize]
		for j := range hole {
			hole[j] = []byte{0, 0xff, byte(rnd.Uint32())}[i%3]
		}
		after, damaged, passed := listen(t, name, b)
		if lost := lostBehindHole(before, int64(len(raw)), after, offset); len(lost) > 0 {
			t.Errorf("%s: a hole at %d of %d (filling %d) lost %d records that it does not touch, the first at %d; %d damaged places, %d bytes passed over",
				name, offset, len(raw), i%3, len(lost), lost[0].at, damaged, passed)
		}
	}
	return len(offsets)
}
