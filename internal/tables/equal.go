package tables

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
)

var equalTable = kind{"equal", 1}

type equalColumns struct {
	parent   numbers32     `lsh:"parent,stream" of:"page"`
	relation octets        `lsh:"relation,stream" of:"page"`
	host     numbers32     `lsh:"host" of:"host"`
	first    mapped.Starts `lsh:"first" of:"host"`
	value    numbers64     `lsh:"value,stream"`
}

// WriteEqual writes equal.lsh, which contains which pages are equal and the boilerplate of the hosts.
func WriteEqual(path string, e *resemble.Equal, strip *resemble.Boilerplate) error {
	var c equalColumns
	w := equalTable.create(path, &c)
	defer w.Abort()
	c.add(e, strip)
	return w.Close()
}

func (c *equalColumns) add(e *resemble.Equal, strip *resemble.Boilerplate) {
	c.parent.AddAll(e.Parents())
	for _, r := range e.Relations() {
		c.relation.Add(byte(r))
	}
	if strip == nil {
		return
	}
	for h, values := range strip.All() {
		c.host.Add(h)
		c.value.AddAll(values)
		c.first.Add(len(values))
	}
}

// Equal reads equal.lsh.
type Equal struct {
	file
	equalColumns
}

// OpenEqual opens equal.lsh.
func OpenEqual(path string) (*Equal, error) {
	e := new(Equal)
	return e, equalTable.open(path, &e.file, &e.equalColumns, nil)
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
		i, ok := search(e.host.Column, host)
		if !ok {
			return nil
		}
		from, to := e.first.Span(i, e.value.Len())
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
		from, to := e.first.Span(i, e.value.Len())
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
