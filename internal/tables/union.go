package tables

import (
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
)

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
