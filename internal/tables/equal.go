package tables

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
)

// WriteEqual writes equal.lsh, which contains which pages are equal and the boilerplate of the hosts.
func WriteEqual(path string, e *resemble.Equal, strip *resemble.Boilerplate) error {
	w := mapped.Create(path, "equal", version)
	defer w.Abort()
	writeEqual(w, "", e, strip)
	return w.Close()
}

// writeEqual writes the sections of equal.lsh, with a prefix before their names.
func writeEqual(w *mapped.Writer, prefix string, e *resemble.Equal, strip *resemble.Boilerplate) {
	s := w.Section(prefix+"parent", 4)
	for _, p := range e.Parents() {
		s.U32(p)
	}
	s = w.Section(prefix+"relation", 1)
	for _, r := range e.Relations() {
		s.Bytes([]byte{byte(r)})
	}
	host, first, value := w.Side(prefix+"host", 4), w.Offsets(prefix+"first"), w.Section(prefix+"value", 8)
	n := uint64(0)
	first.U64(0)
	if strip != nil {
		for h, values := range strip.All() {
			host.U32(h)
			for _, v := range values {
				value.U64(v)
			}
			n += uint64(len(values))
			first.U64(n)
		}
	}
}

// Equal reads equal.lsh.
type Equal struct {
	file
	parent   column32
	relation column8
	host     column32
	first    mapped.Offsets
	value    column64
}

// OpenEqual opens equal.lsh.
func OpenEqual(path string) (*Equal, error) {
	r := open(path, "equal")
	e, fits := newEqual(&r, "")
	return e, r.done(fits)
}

// newEqual opens the sections of equal.lsh, with a prefix before their names. It reports whether their lengths fit
// each other.
func newEqual(r *reader, prefix string) (e *Equal, fits bool) {
	e = &Equal{
		file: file{r.f}, parent: r.u32(prefix + "parent"), relation: r.u8(prefix + "relation"),
		host: r.u32(prefix + "host"), first: r.offsets(prefix + "first"), value: r.u64(prefix + "value"),
	}
	return e, e.parent.Len() == e.relation.Len() && e.first.Len() == e.host.Len()+1
}

// Len returns the number of pages.
func (e *Equal) Len() int { return e.parent.Len() }

// Representative returns the page that represents a page and all that equal it.
func (e *Equal) Representative(page uint32) uint32 { return e.at(page, resemble.Shingle) }

// Between returns the strictest level at which two different pages are equal. ok is false if they are not equal.
func (e *Equal) Between(a, b uint32) (r resemble.Relation, ok bool) {
	return resemble.Between(a, b, e.at)
}

// at returns the page that represents a page at a level. In a damaged table, a page whose parent does not come before
// it represents itself.
func (e *Equal) at(page uint32, level resemble.Relation) uint32 {
	for {
		r := resemble.Relation(e.relation.At(int(page)))
		if r == resemble.Alone || r > level {
			return page
		}
		parent := e.parent.At(int(page))
		if parent >= page {
			e.f.Report("parent", int(page), "page %d", parent)
			return page
		}
		page = parent
	}
}

// Boilerplate returns the boilerplate of the hosts, which stays in the table. c must be the configuration with which
// it was found.
func (e *Equal) Boilerplate(c resemble.BoilerplateConfig) (*resemble.Boilerplate, error) {
	return resemble.StoredBoilerplate(c, func(host uint32) []uint64 {
		i, ok := search(e.host, host)
		if !ok {
			return nil
		}
		from, to := e.span("first", e.first, i, e.value.Len())
		return e.value.Slice(from, to)
	})
}

// Load reads which pages are equal into memory and checks that.
func (e *Equal) Load() (*resemble.Equal, error) {
	relations := make([]resemble.Relation, e.Len())
	for i, r := range e.relation.All() {
		relations[i] = resemble.Relation(r)
	}
	parents := append([]uint32(nil), e.parent.All()...)
	if err := e.Err(); err != nil {
		return nil, err
	}
	return resemble.NewEqual(parents, relations)
}

// LoadBoilerplate reads the boilerplate into memory and checks it.
func (e *Equal) LoadBoilerplate(c resemble.BoilerplateConfig) (*resemble.Boilerplate, error) {
	strip, err := resemble.NewBoilerplate(c)
	if err != nil {
		return nil, err
	}
	hosts := e.host.All()
	e.first.At(0) // without hosts, nothing else reads it
	e.value.All()
	for i, h := range hosts {
		if i > 0 && h <= hosts[i-1] {
			return nil, fmt.Errorf("%w: host %d after host %d", resemble.ErrTable, h, hosts[i-1])
		}
		from, to := e.span("first", e.first, i, e.value.Len())
		if err := strip.Put(h, append([]uint64(nil), e.value.Slice(from, to)...)); err != nil {
			return nil, err
		}
	}
	return strip, e.Err()
}

// ReadEqual reads equal.lsh into memory and checks it. c must be the configuration with which the boilerplate was
// found.
func ReadEqual(path string, c resemble.BoilerplateConfig) (*resemble.Equal, *resemble.Boilerplate, error) {
	e, err := OpenEqual(path)
	if err != nil {
		return nil, nil, err
	}
	defer e.Close()
	equal, err := e.Load()
	if err != nil {
		return nil, nil, err
	}
	strip, err := e.LoadBoilerplate(c)
	return equal, strip, err
}
