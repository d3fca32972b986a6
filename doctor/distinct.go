package doctor

// distinct counts different hashes: exactly up to maxDistinct, beyond by a sample (adaptive sampling, Wegman; Flajolet
// 1990): it keeps hashes that end with so many zeros, one more whenever it is full. The standard error is about
// 1.2/√maxDistinct, 0.1 %.
type distinct struct {
	seen  map[uint64]struct{}
	zeros uint
}

const maxDistinct = 1 << 20

func (d *distinct) add(hash uint64) {
	if hash&(1<<d.zeros-1) != 0 {
		return
	}
	if d.seen == nil {
		d.seen = map[uint64]struct{}{}
	}
	d.seen[hash] = struct{}{}
	for len(d.seen) > maxDistinct {
		d.zeros++
		for h := range d.seen {
			if h&(1<<d.zeros-1) != 0 {
				delete(d.seen, h)
			}
		}
	}
}

func (d *distinct) count() (n int64, estimated bool) {
	return int64(len(d.seen)) << d.zeros, d.zeros > 0
}
