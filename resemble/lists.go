package resemble

import (
	"github.com/lshclust/lshclust/internal/huge"
	"github.com/lshclust/lshclust/internal/scratch"
)

// lists holds the documents of each key between sorting the keys and finding pairs. A list is a key (2 words, the lower
// half first), the number of ids, the number of ids that come first because the key is one of their own, the number of
// these that do not defer the list, and the ids: of the own documents that do not defer it, of the own documents that
// do, and of the others, each in ascending order. Lists that do not fit into memory are in a mapped file.
type lists struct {
	words []uint32
	room  *scratch.Pool
	share int64 // bytes up to which words are in memory
}

// list is one of the lists.
type list struct {
	key    uint64
	ids    []uint32
	own    int // the number of ids that come first
	active int // of these, the number that do not defer the list
}

const listHead = 5

func newLists(r Resources) *lists {
	share := r.memory() / 8
	return &lists{room: scratch.New(r.Dir, share).Pool(), share: share}
}

func (l *lists) add(key uint64, ids []uint32, own int) {
	l.words = scratch.Append(l.room, l.words, uint32(key), uint32(key>>32), uint32(len(ids)), uint32(own), uint32(own))
	l.words = scratch.Append(l.room, l.words, ids...)
}

// complete moves the lists, if they are in memory, to huge pages, because their order is not that of the documents. No
// list may be added afterwards.
func (l *lists) complete() {
	if 4*int64(len(l.words)) <= l.share {
		words := huge.Halves(len(l.words))
		copy(words, l.words)
		l.words = words
	}
}

// at returns the list that begins at a word.
func (l *lists) at(word uint64) list {
	w := l.words[word:]
	n := int(w[2])
	return list{key: uint64(w[0]) | uint64(w[1])<<32, ids: w[listHead : listHead+n : listHead+n], own: int(w[3]), active: int(w[4])}
}

// setActive sets the number of ids of the list at a word that do not defer it.
func (l *lists) setActive(word uint64, n int) { l.words[word+4] = uint32(n) }

// each calls take for every list, with the word at which it begins.
func (l *lists) each(take func(word uint64, list list) error) error {
	for word := uint64(0); word < uint64(len(l.words)); {
		list := l.at(word)
		if err := take(word, list); err != nil {
			return err
		}
		word += listHead + uint64(len(list.ids))
	}
	return nil
}

func (l *lists) close() {
	l.words = nil
	l.room.Free()
}
