package doctor

// distinct counts different hashes: exactly up to maxDistinct, beyond by a sample (adaptive sampling, Wegman; Flajolet
// 1990): it keeps the hashes that end with a number of zeros, and increases the number whenever it is full. The
// standard error is about 1.2/√maxDistinct, 0.1 %.
type distinct struct {
	slots []uint64 // open addressing, a power of two, at most half full; 0 is none
	used  int
	zero  int // 1 if the hash 0 was there
	zeros uint
}

const maxDistinct = 1 << 20

func (d *distinct) add(hash uint64) {
	switch {
	case hash == 0:
		d.zero = 1
		return
	case hash&(1<<d.zeros-1) != 0:
		return
	case 2*d.used >= len(d.slots):
		d.rebuild(max(2*len(d.slots), 1<<10))
	}
	d.put(hash)
	for d.used+d.zero > maxDistinct {
		d.zeros++
		d.rebuild(len(d.slots))
	}
}

func (d *distinct) put(hash uint64) {
	i := d.place(hash)
	for d.slots[i] != 0 && d.slots[i] != hash {
		i = (i + 1) & (len(d.slots) - 1)
	}
	if d.slots[i] == 0 {
		d.slots[i] = hash
		d.used++
	}
}

// place returns the slot where the search for a hash begins. It uses the upper half, since the lower bits of all hashes
// may be zero.
func (d *distinct) place(hash uint64) int { return int(hash>>32) & (len(d.slots) - 1) }

// rebuild makes a table of n slots with the hashes that still count.
func (d *distinct) rebuild(n int) {
	old := d.slots
	d.slots, d.used = make([]uint64, n), 0
	for _, hash := range old {
		if hash != 0 && hash&(1<<d.zeros-1) == 0 {
			d.put(hash)
		}
	}
}

func (d *distinct) count() (n int64, estimated bool) {
	return int64(d.used+d.zero) << d.zeros, d.zeros > 0
}
