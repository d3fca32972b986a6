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

var unionTable = kind{"union", 1}

type unionColumns struct {
	via            octets        `lsh:"via" of:"page"`
	relation       octets        `lsh:"relation" of:"page"`
	resemblance    floats        `lsh:"resemblance" of:"page"`
	representative numbers32     `lsh:"representative,stream" of:"page"`
	first          mapped.Starts `lsh:"first" of:"group"`
	member         numbers32     `lsh:"member"`
	lowest         floats        `lsh:"lowest" of:"group"`
	counts         numbers32     `lsh:"counts"` // groupCounts of each group
	group          numbers32     `lsh:"group,stream" of:"group"`
}

// WriteUnion writes union.lsh, which contains the place of every page in its cluster and the clusters of two or more
// pages.
func WriteUnion(path string, c *resemble.Clusters) error {
	var u unionColumns
	w := unionTable.create(path, &u)
	defer w.Abort()
	for page := range uint32(c.Len()) {
		m := c.Member(page)
		u.representative.Add(m.Representative)
		u.via.Add(byte(m.Via))
		u.relation.Add(byte(m.Relation))
		u.resemblance.Add(float32(m.Resemblance))
	}
	for _, g := range c.Groups() {
		u.group.Add(g.Representative)
		u.lowest.Add(float32(g.Lowest))
		for _, x := range [groupCounts]int{g.Distinct, g.Chained, int(g.Links), g.DiameterLow, g.DiameterHigh} {
			u.counts.Add(uint32(x))
		}
		u.member.AddAll(c.Members(g))
		u.first.Add(g.Documents)
	}
	return w.Close()
}

// groupCounts is the number of counts of a cluster in union.lsh.
const groupCounts = 5

// Union reads union.lsh.
type Union struct {
	file
	unionColumns
}

// OpenUnion opens union.lsh.
func OpenUnion(path string) (*Union, error) {
	u := new(Union)
	return u, unionTable.open(path, &u.file, &u.unionColumns, func() bool { return u.counts.Len() == groupCounts*u.group.Len() })
}

// Len returns the number of pages.
func (u *Union) Len() int { return u.representative.Len() }

// Member returns the place of a page in its cluster. In a damaged table, a page without a representative is alone.
func (u *Union) Member(page uint32) resemble.Member {
	i := int(page)
	of, ok := u.representative.Below(i, u.Len())
	if !ok {
		return resemble.Member{Representative: page, Relation: resemble.Alone}
	}
	return resemble.Member{
		Representative: of, Via: resemble.Via(u.via.At(i)),
		Relation: resemble.Relation(u.relation.At(i)), Resemblance: float64(u.resemblance.At(i)),
	}
}

// Groups returns the number of clusters of two or more pages.
func (u *Union) Groups() int { return u.group.Len() }

// Group returns a cluster with its pages, ascending. The pages point into the table; there are none if it is damaged.
func (u *Union) Group(i int) (resemble.Group, []uint32) {
	of, ok := u.group.Below(i, u.Len())
	from, to := u.first.Span(i, u.member.Len())
	pages := u.member.SliceBelow(from, to, u.Len())
	if !ok || pages == nil {
		return resemble.Group{}, nil
	}
	count := func(k int) int { return int(u.counts.At(i*groupCounts + k)) }
	return resemble.Group{
		Representative: of, Documents: len(pages), Distinct: count(0), Chained: count(1), Links: uint64(count(2)),
		DiameterLow: count(3), DiameterHigh: count(4), Lowest: float64(u.lowest.At(i)),
	}, pages
}

// GroupOf returns the number of the cluster of a page, or false if the page is alone.
func (u *Union) GroupOf(page uint32) (int, bool) {
	return search(u.group.Column, u.Member(page).Representative)
}
