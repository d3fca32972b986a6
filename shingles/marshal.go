package shingles

import "encoding/binary"

// Each UnmarshalBinary either replaces the sketch or leaves it unchanged and returns an error that wraps ErrEncoding.

// MarshalBinary encodes the sketch; it never fails.
func (s *ModSketch) MarshalBinary() ([]byte, error) {
	return appendValues(appendHead(kindMod, s.M()), s.Values(), s.M()), nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (s *ModSketch) UnmarshalBinary(data []byte) error {
	d := decode(kindMod, data)
	m := d.uvarint("m", 1, ^uint64(0))
	values := d.values(m, ^uint64(0))
	if err := d.end(); err != nil {
		return err
	}
	*s = ModSketch{divisor: newDivisor(m), sample: sample{values: values, sorted: len(values)}}
	return nil
}

// MarshalBinary encodes the sketch; it never fails.
func (m *MinSketch) MarshalBinary() ([]byte, error) {
	return marshalMin(m.S(), m.Values()), nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (m *MinSketch) UnmarshalBinary(data []byte) error {
	s, values, err := unmarshalMin(data)
	if err == nil {
		m.load(s, values)
	}
	return err
}

// MarshalBinary encodes the sketch as MinSketch does; it never fails.
func (m *TreeMinSketch) MarshalBinary() ([]byte, error) {
	return marshalMin(m.S(), m.Values()), nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (m *TreeMinSketch) UnmarshalBinary(data []byte) error {
	s, values, err := unmarshalMin(data)
	if err == nil {
		*m = TreeMinSketch{s: s}
		m.AddAll(values)
	}
	return err
}

func marshalMin(s int, values []uint64) []byte {
	return appendValues(appendHead(kindMin, uint64(s)), values, 1)
}

func unmarshalMin(data []byte) (s int, values []uint64, err error) {
	d := decode(kindMin, data)
	most := d.uvarint("s", 1, maxS)
	values = d.values(1, most)
	return int(most), values, d.end()
}

// MarshalBinary encodes the sketch; it never fails.
func (s *MinModSketch) MarshalBinary() ([]byte, error) {
	return appendValues(appendHead(kindMinMod, s.M(), uint64(s.S())), s.Values(), s.M()), nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (s *MinModSketch) UnmarshalBinary(data []byte) error {
	d := decode(kindMinMod, data)
	m := d.uvarint("m", 1, ^uint64(0))
	most := d.uvarint("s", 1, maxS)
	values := d.values(m, most)
	if err := d.end(); err != nil {
		return err
	}
	s.divisor = newDivisor(m)
	s.min.load(int(most), values)
	return nil
}

// MarshalBinary encodes the sketch; it never fails.
func (s *VarSketch) MarshalBinary() ([]byte, error) {
	head := appendHead(kindVar, uint64(s.level), s.size)
	return appendValues(head, s.Values(), 1<<uint(s.level)), nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (s *VarSketch) UnmarshalBinary(data []byte) error {
	d := decode(kindVar, data)
	level := d.uvarint("level", 0, 63)
	size := d.uvarint("size", 0, ^uint64(0))
	if d.err == nil && uint64(VarLevel(size)) > level {
		d.fail("level %d is too fine for %d shingles", level, size)
	}
	values := d.values(1<<level, ^uint64(0))
	if err := d.end(); err != nil {
		return err
	}
	*s = VarSketch{level: int(level), size: size, sample: sample{values: values, sorted: len(values)}}
	return nil
}

// MarshalBinary encodes the sketch; it never fails.
func (g *GroupedMinima) MarshalBinary() ([]byte, error) {
	groups, size := g.Shape()
	dst := appendHead(kindGroups, uint64(groups), uint64(size), uint64(len(g.minima)))
	for _, v := range g.minima {
		dst = binary.BigEndian.AppendUint64(dst, v)
	}
	return dst, nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (g *GroupedMinima) UnmarshalBinary(data []byte) error {
	d := decode(kindGroups, data)
	groups := int(d.uvarint("groups", 1, maxMinima))
	size := int(d.uvarint("size", 1, maxMinima))
	count := int(d.uvarint("count", 0, maxMinima))
	if d.err == nil && (groups*size > maxMinima || count != 0 && count != groups*size) {
		d.fail("%d minima in %d groups of %d", count, groups, size)
	}
	minima := d.fixed(count)
	if err := d.end(); err != nil {
		return err
	}
	*g = GroupedMinima{groups: groups, size: size}
	if minima != nil {
		g.prepare()
		copy(g.minima, minima)
	}
	return nil
}
