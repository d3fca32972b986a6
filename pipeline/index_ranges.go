package pipeline

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
)

// rangeSorter sorts postings without an external sort. The shingles of a page ascend and look random, so that the
// postings of a range of values are a short piece of each page, and a range has about as many postings as any other of
// its width. A worker collects the postings of one range in the order of the pages, spreads them over narrower ranges
// until each has about one posting, and hands them on. A posting is a number, the value in its upper bits and the page
// in its lower ones.
//
// Every range is a pass over the table of shingles, which the caller must therefore expect to be in the page cache.
type rangeSorter struct {
	pages   *tables.Shingles
	modulus uint64
	bits    int  // of a value
	shift   uint // bits of a page
	ranges  int
	room    int // postings that a worker collects at a time
	usual   int // postings of a range, and somewhat more
	free    sync.Pool
}

// rangePostings is the number of postings of a range if there is enough memory. With smaller ranges, a page is fetched
// from memory more often; with larger ones, more memory is in use.
const rangePostings = 1 << 21

// postingBytes is the memory of a posting in a worker: 8 bytes where it is collected, where it is spread, and where some
// wait to be written.
const postingBytes = 24

// newRangeSorter returns a sorter for about a number of postings within an amount of memory. ok is false if a value and
// a page do not fit into 64 bits.
func newRangeSorter(pages *tables.Shingles, s indexSampling, width, workers int, memory int64) (r *rangeSorter, ok bool) {
	r = &rangeSorter{pages: pages, modulus: s.modulus, bits: width, shift: uint(bits.Len(uint(pages.Len())))}
	r.room = max(1<<10, int(min(rangePostings, memory/int64(postingBytes*workers))))
	r.ranges = 1 + int(s.postings/int64(r.room-r.room/8)) // an eighth is left for chance
	r.usual = min(r.room, int(s.postings/int64(r.ranges))*9/8+1<<10)
	r.free.New = func() any { return new([]uint64) }
	return r, width+int(r.shift) <= 64
}

// sort passes the postings to take, in the order of (value, page).
func (r *rangeSorter) sort(ctx context.Context, workers int, take func([]uint64)) error {
	scratch := make([]postingScratch, workers)
	last := ^uint64(0) >> (64 - r.bits)
	width := last/uint64(r.ranges) + 1
	return parallel.Ordered(ctx, r.ranges, workers, int64(workers*r.room)*8, func(worker, i int, emit func(*[]uint64, int) error) error {
		low := uint64(i) * width
		if low > last {
			return nil
		}
		return r.part(ctx, &scratch[worker], low, min(last, low+width-1), emit)
	}, func(_ int, list *[]uint64) error {
		take(*list)
		r.free.Put(list)
		return nil
	})
}

// part emits the postings of the values from low to high. If they are more than there is room for, as happens where a
// shingle is in very many pages, it halves the range.
func (r *rangeSorter) part(ctx context.Context, s *postingScratch, low, high uint64, emit func(*[]uint64, int) error) error {
	for page := uint32(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		list := r.free.Get().(*[]uint64)
		*list = slices.Grow((*list)[:0], r.usual)
		*list, page = r.collect(*list, page, low, high)
		switch {
		case int(page) == r.pages.Len():
			s.sort(*list, low<<r.shift, high<<r.shift|(1<<r.shift-1))
			return emit(list, 8*len(*list))
		case low < high:
			r.free.Put(list)
			middle := low + (high-low)/2
			if err := r.part(ctx, s, low, middle, emit); err != nil {
				return err
			}
			return r.part(ctx, s, middle+1, high, emit)
		}
		if err := emit(list, 8*len(*list)); err != nil { // one value, and the pages are in order
			return err
		}
	}
}

// collect appends the postings of a range of values, beginning with those of a page. It returns the first page for which
// there is no room, the number of pages if there is room for all.
func (r *rangeSorter) collect(out []uint64, page uint32, low, high uint64) ([]uint64, uint32) {
	for ; int(page) < r.pages.Len(); page++ {
		values := r.pages.Values(page)
		whole := tables.IndexedWhole(len(values), r.modulus)
		begin := len(out)
		for _, v := range values[startOf(values, low, r.bits):] {
			if v > high {
				break
			}
			if !whole && v%r.modulus != 0 {
				continue
			}
			if len(out) == r.room {
				return out[:begin], page
			}
			out = append(out, v<<(r.shift&63)|uint64(page))
		}
	}
	return out, page
}

// fewValues is the number of values up to which startOf finds a place from where it should be.
const fewValues = 1 << 12

// startOf returns the place of the first value that is not less than low, among values of some bits that look random.
func startOf(values []uint64, low uint64, width int) int {
	if len(values) > fewValues {
		i, _ := slices.BinarySearch(values, low)
		return i
	}
	high, _ := bits.Mul64(low<<(uint(64-width)&63), uint64(len(values)))
	i := int(high)
	for i > 0 && values[i-1] >= low {
		i--
	}
	for i < len(values) && values[i] < low {
		i++
	}
	return i
}

// postingScratch is the memory of one worker.
type postingScratch struct {
	spread []uint64
	ends   []uint32 // of the narrower ranges
	last   []uint32 // of the narrowest ones
}

const (
	// spreadPostings is about the number of postings in a range that is spread a second time, in a cache.
	spreadPostings = 1 << 10
	// crowdedPostings is the number of postings in one of the narrowest ranges from which they are sorted by comparison.
	crowdedPostings = 24
)

// sort sorts numbers from low to high.
func (s *postingScratch) sort(list []uint64, low, high uint64) {
	s.spread = slices.Grow(s.spread[:0], len(list))[:len(list)]
	shift := scatter(&s.ends, list, s.spread, low, high, len(list)/spreadPostings)
	start := uint32(0)
	for i, end := range s.ends {
		first := low + uint64(i)<<shift
		s.few(s.spread[start:end], list[start:end], first, first+(1<<shift-1))
		start = end
	}
}

// few sorts the numbers of a narrow range into out.
func (s *postingScratch) few(list, out []uint64, low, high uint64) {
	scatter(&s.last, list, out, low, high, len(list))
	start := uint32(0)
	for _, end := range s.last {
		if end-start >= crowdedPostings {
			slices.Sort(out[start:end])
		}
		start = end
	}
	for i := 1; i < len(out); i++ {
		x, j := out[i], i
		for ; j > 0 && out[j-1] > x; j-- {
			out[j] = out[j-1]
		}
		out[j] = x
	}
}

// scatter spreads numbers from low to high over about a number of ranges of equal width, in out, and sets ends to the
// ends of these. Every range is 1<<shift wide.
func scatter(ends *[]uint32, list, out []uint64, low, high uint64, about int) (shift uint) {
	shift = uint(max(0, bits.Len64(high-low)-bits.Len(uint(about))))
	n := int((high-low)>>shift) + 1
	place := slices.Grow((*ends)[:0], n)[:n]
	*ends = place
	clear(place)
	for _, x := range list {
		place[(x-low)>>(shift&63)]++
	}
	sum := uint32(0)
	for i, count := range place {
		place[i] = sum
		sum += count
	}
	for _, x := range list {
		end := &place[(x-low)>>(shift&63)]
		out[*end] = x
		*end++
	}
	return shift
}
