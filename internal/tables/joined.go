package tables

import (
	"slices"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
)

// WriteJoined writes joined.lsh: the place of every page in its cluster, and the clusters of two pages or more.
func WriteJoined(path string, c *resemble.Clusters) error {
	w, err := mapped.Create(path, "joined", version)
	if err != nil {
		return err
	}
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
	first, members := w.Side("first", 8), w.Side("member", 4)
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

// groupCounts is how many counts a cluster has in joined.lsh.
const groupCounts = 5

// Joined reads joined.lsh.
type Joined struct {
	f                             *mapped.File
	representative, group, member []uint32
	via, relation                 []byte
	resemblance, lowest           []float32
	first                         []uint64
	counts                        []uint32
}

// OpenJoined opens joined.lsh.
func OpenJoined(path string) (*Joined, error) {
	r := open(path, "joined")
	j := &Joined{
		f: r.f, representative: r.u32("representative"), group: r.u32("group"), member: r.u32("member"), via: r.u8("via"),
		relation: r.u8("relation"), resemblance: r.f32("resemblance"), lowest: r.f32("lowest"), first: r.u64("first"), counts: r.u32("counts"),
	}
	n, g := len(j.representative), len(j.group)
	return j, r.done(len(j.via) == n && len(j.relation) == n && len(j.resemblance) == n &&
		len(j.lowest) == g && len(j.first) == g+1 && len(j.counts) == groupCounts*g)
}

// Len is the number of pages.
func (j *Joined) Len() int { return len(j.representative) }

// Member returns the place of a page in its cluster.
func (j *Joined) Member(page uint32) resemble.Member {
	if int64(page) >= int64(len(j.representative)) {
		return resemble.Member{Representative: page, Relation: resemble.Alone}
	}
	return resemble.Member{
		Representative: j.representative[page], Via: resemble.Via(j.via[page]),
		Relation: resemble.Relation(j.relation[page]), Resemblance: float64(j.resemblance[page]),
	}
}

// Groups is the number of clusters of two pages or more.
func (j *Joined) Groups() int { return len(j.group) }

// Group returns a cluster with its pages, ascending; they point into the table.
func (j *Joined) Group(i int) (resemble.Group, []uint32) {
	from, to := span(j.first, i, len(j.member))
	c := j.counts[i*groupCounts : (i+1)*groupCounts]
	return resemble.Group{
		Representative: j.group[i], Documents: to - from, Distinct: int(c[0]), Chained: int(c[1]), Links: uint64(c[2]),
		DiameterLow: int(c[3]), DiameterHigh: int(c[4]), Lowest: float64(j.lowest[i]),
	}, j.member[from:to]
}

// GroupOf returns the number of the cluster of a page; false if it is alone.
func (j *Joined) GroupOf(page uint32) (int, bool) {
	return slices.BinarySearch(j.group, j.Member(page).Representative)
}

// Close unmaps the table.
func (j *Joined) Close() error { return j.f.Close() }
