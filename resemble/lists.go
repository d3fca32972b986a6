package resemble

import (
	"iter"

	"github.com/lshclust/lshclust/internal/scratch"
)

// lists holds the documents of each key between sorting the keys and forming pairs. A list is the number of ids, the
// number of ids that come first because these documents ask with the key, and the ids, each part in ascending order.
// Lists that do not fit into memory are in a mapped file.
type lists struct {
	words []uint32
	room  *scratch.Pool
	ends  []int // of parts of the words, which are formed at once
}

// list is one of the lists.
type list struct {
	ids    []uint32
	asking int // the number of ids that come first
}

const (
	listHead  = 2
	partWords = 1 << 12
)

func newLists(r Resources) *lists {
	return &lists{room: scratch.New(r.Dir, r.memory()/8).Pool()}
}

func (l *lists) add(ids []uint32, asking int) {
	l.words = scratch.Append(l.room, l.words, uint32(len(ids)), uint32(asking))
	l.words = scratch.Append(l.room, l.words, ids...)
	if n := len(l.ends); n == 0 || l.ends[n-1]-l.start(n-1) >= partWords {
		l.ends = append(l.ends, 0)
	}
	l.ends[len(l.ends)-1] = len(l.words)
}

// start returns the place where a part begins.
func (l *lists) start(part int) int {
	if part == 0 {
		return 0
	}
	return l.ends[part-1]
}

// each returns the lists of a part.
func (l *lists) each(part int) iter.Seq[list] {
	return func(yield func(list) bool) {
		for words := l.words[l.start(part):l.ends[part]]; len(words) > 0; {
			n := listHead + int(words[0])
			if !yield(list{words[listHead:n:n], int(words[1])}) {
				return
			}
			words = words[n:]
		}
	}
}

func (l *lists) close() {
	l.words = nil
	l.room.Free()
}
