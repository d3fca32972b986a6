package tables

import (
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
)

// WriteUnion writes union.lsh, which contains the place of every page in its cluster and the clusters of two or more
// pages.
func WriteUnion(path string, c *resemble.Clusters) error {
	w := mapped.Create(path, "union", version)
	defer w.Abort()
	via, relation, resemblance := w.Side("via", 1), w.Side("relation", 1), w.Side("resemblance", 4)
	s := w.Section("representative", 4)
	for page := range uint32(c.Len()) {
		m := c.Member(page)
		s.U32(m.Representative)
		via.Bytes([]byte{byte(m.Via)})
		relation.Bytes([]byte{byte(m.Relation)})
		resemblance.F32(float32(m.Resemblance))
	}
	first, members := w.Offsets("first"), w.Side("member", 4)
	lowest, counts := w.Side("lowest", 4), w.Side("counts", 4)
	n := uint64(0)
	first.U64(0)
	s = w.Section("group", 4)
	for _, g := range c.Groups() {
		s.U32(g.Representative)
		lowest.F32(float32(g.Lowest))
		for _, x := range [groupCounts]int{g.Distinct, g.Chained, int(g.Links), g.DiameterLow, g.DiameterHigh} {
			counts.U32(uint32(x))
		}
		for _, id := range c.Members(g) {
			members.U32(id)
		}
		n += uint64(g.Documents)
		first.U64(n)
	}
	return w.Close()
}

// groupCounts is the number of counts of a cluster in union.lsh.
const groupCounts = 5

// Union reads union.lsh.
type Union struct {
	file
	representative, group, member column32
	via, relation                 column8
	resemblance, lowest           columnF32
	first                         mapped.Offsets
	counts                        column32
}

// OpenUnion opens union.lsh.
func OpenUnion(path string) (*Union, error) {
	r := open(path, "union")
	u := &Union{
		file: file{r.f}, representative: r.u32("representative"), group: r.u32("group"), member: r.u32("member"), via: r.u8("via"),
		relation: r.u8("relation"), resemblance: r.f32("resemblance"), lowest: r.f32("lowest"), first: r.offsets("first"), counts: r.u32("counts"),
	}
	n, g := u.representative.Len(), u.group.Len()
	return u, r.done(u.via.Len() == n && u.relation.Len() == n && u.resemblance.Len() == n &&
		u.lowest.Len() == g && u.first.Len() == g+1 && u.counts.Len() == groupCounts*g)
}

// Len returns the number of pages.
func (u *Union) Len() int { return u.representative.Len() }

// Member returns the place of a page in its cluster. In a damaged table, a page without a representative is alone.
func (u *Union) Member(page uint32) resemble.Member {
	i := int(page)
	of := u.representative.At(i)
	if int64(page) >= int64(u.Len()) || !u.below("representative", i, of, u.Len()) {
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
	of := u.group.At(i)
	from, to := u.span("first", u.first, i, u.member.Len())
	pages := u.member.Slice(from, to)
	if i < 0 || i >= u.Groups() || !u.below("group", i, of, u.Len()) || !u.allBelow("member", from, pages, u.Len()) {
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
	return search(u.group, u.Member(page).Representative)
}
