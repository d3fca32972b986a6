package names

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// MostDocuments is the number of documents that an index keeps for a name: those that have it most firmly.
const MostDocuments = 32

// Builder collects names.
type Builder struct {
	text []byte
	rows []row
}

type row struct {
	begins   uint64 // first 8 bytes of the name, which decide most comparisons
	at, id   uint32
	firmness float32
	length   uint8
}

// Add adds a name of a document, made by [Of], and how firmly the document has it. Names that are empty or longer than
// Longest are left out.
func (b *Builder) Add(name string, id uint32, firmness float32) {
	if !Fits(name) {
		return
	}
	var begins [8]byte
	copy(begins[:], name)
	b.rows = append(b.rows, row{binary.BigEndian.Uint64(begins[:]), uint32(len(b.text)), id, firmness, uint8(len(name))})
	b.text = append(b.text, name...)
}

// Index returns the index of the names. The builder must not be used afterwards.
func (b *Builder) Index() *Index {
	name := func(r row) []byte { return b.text[r.at : r.at+uint32(r.length)] }
	slices.SortFunc(b.rows, func(r, s row) int {
		if r.begins != s.begins {
			return cmp.Compare(r.begins, s.begins)
		}
		return cmp.Or(bytes.Compare(name(r), name(s)), cmp.Compare(s.firmness, r.firmness), cmp.Compare(r.id, s.id))
	})
	x := &Index{}
	var last []byte
	for _, r := range b.rows {
		n := len(x.first)
		if this := name(r); n == 0 || !bytes.Equal(this, last) {
			x.at, x.first = append(x.at, uint32(len(x.text))), append(x.first, uint32(len(x.held)))
			x.text, last = append(x.text, this...), this
		} else if len(x.held)-int(x.first[n-1]) == MostDocuments {
			continue
		}
		x.held = append(x.held, Held{r.id, r.firmness})
	}
	x.at, x.first = append(x.at, uint32(len(x.text))), append(x.first, uint32(len(x.held)))
	x.text, x.at, x.first, x.held = slices.Clip(x.text), slices.Clip(x.at), slices.Clip(x.first), slices.Clip(x.held)
	return x
}

// Index holds names in order and, for each, documents that have it.
type Index struct {
	text  []byte
	at    []uint32 // where each name begins in text, and the end
	first []uint32 // where the documents of each name begin in held, and the end
	held  []Held
}

// Held is a document that has a name.
type Held struct {
	ID       uint32
	Firmness float32
}

// Kind says how a name matches what was asked for.
type Kind uint8

// Kinds of matches: the name as asked for, a name that is one typo away, and a longer name that begins with it.
const (
	Whole Kind = iota + 1
	Typo
	Beginning
)

// String returns the name of a kind, "" for none.
func (k Kind) String() string { return [...]string{"", "whole", "typo", "beginning"}[k] }

// Match is a name that matches, with the documents that have it, firmest first.
type Match struct {
	Name string
	Kind Kind
	Held []Held
}

// Len returns the number of names.
func (x *Index) Len() int { return len(x.at) - 1 }

func (x *Index) name(i int) []byte { return x.text[x.at[i]:x.at[i+1]] }

// Least numbers of letters of a name that is forgiven a typo, and of the beginning of a name. Shorter ones match too much.
const (
	leastTypo      = 4
	leastBeginning = 3
)

// Each calls do with all names that match a name made by [Of]: the name itself, then those with a typo, then longer
// ones; each in order.
func (x *Index) Each(name string, do func(Match)) {
	all := span{0, x.Len()}
	s := x.within(all, name)
	letters := utf8.RuneCountInString(name)
	tell := func(i int, k Kind) {
		do(Match{string(x.name(i)), k, x.held[x.first[i]:x.first[i+1]]})
	}
	if s.from < s.to && string(x.name(s.from)) == name {
		tell(s.from, Whole)
		s.from++
	}
	if letters >= leastTypo {
		for _, i := range x.typos(name) {
			tell(i, Typo)
		}
	}
	if letters >= leastBeginning {
		for i := s.from; i < s.to; i++ {
			tell(i, Beginning)
		}
	}
}

// span is a range of names.
type span struct{ from, to int }

// within returns the names of a span that begin with some text.
func (x *Index) within(s span, begins string) span {
	from := s.from + sort.Search(s.to-s.from, func(i int) bool { return string(x.name(s.from+i)) >= begins })
	return span{from, from + sort.Search(s.to-from, func(i int) bool { return !strings.HasPrefix(string(x.name(from+i)), begins) })}
}

// typos returns the names that become the given one by leaving out a letter, adding or replacing one, or swapping two
// neighbours, in order. At each letter, only those letters are tried that follow in some name.
func (x *Index) typos(name string) []int {
	var out []int
	try := func(s span, wanted string) {
		if i := s.from + sort.Search(s.to-s.from, func(i int) bool { return string(x.name(s.from+i)) >= wanted }); i < s.to && string(x.name(i)) == wanted && wanted != name {
			out = append(out, i)
		}
	}
	s := span{0, x.Len()}
	for p := 0; s.from < s.to; {
		before, rest := name[:p], name[p:]
		_, size := utf8.DecodeRuneInString(rest)
		after := rest[size:]
		if rest != "" {
			try(s, before+after)
		}
		if _, next := utf8.DecodeRuneInString(after); next > 0 {
			try(s, before+after[:next]+rest[:size]+after[next:])
		}
		for i := s.from; i < s.to; {
			if len(x.name(i)) == p {
				i++
				continue
			}
			_, n := utf8.DecodeRune(x.name(i)[p:])
			branch := before + string(x.name(i)[p:p+n])
			those := x.within(span{i, s.to}, branch)
			try(those, branch+rest)
			if rest != "" {
				try(those, branch+after)
			}
			i = those.to
		}
		if rest == "" {
			break
		}
		p += size
		s = x.within(s, name[:p])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
