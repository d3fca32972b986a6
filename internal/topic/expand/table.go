package expand

// table keeps a value for each node of a set, with open addressing. A place is in use if its stamp is that of the table, so
// that clearing the table costs nothing.
type table[V any] struct {
	places []place[V]
	stamp  uint32
	n      int
}

type place[V any] struct {
	value       V
	node, stamp uint32
}

func (t *table[V]) clear() {
	t.n = 0
	if t.stamp++; t.stamp == 0 || t.places == nil {
		t.places, t.stamp = make([]place[V], 1<<8), 1
	}
}

// add adds a node, and reports whether it is new. The value of a new node is 0. The pointer to it is valid until the next
// call.
func (t *table[V]) add(node uint32) (value *V, isNew bool) {
	if 2*t.n >= len(t.places) {
		t.grow()
	}
	last := uint32(len(t.places) - 1)
	at := (node * 0x9e3779b1) >> 7 & last
	for t.places[at].stamp == t.stamp {
		if t.places[at].node == node {
			return &t.places[at].value, false
		}
		at = (at + 1) & last
	}
	t.places[at] = place[V]{node: node, stamp: t.stamp}
	t.n++
	return &t.places[at].value, true
}

// get returns the value of a node, or nil if the table does not have it.
func (t *table[V]) get(node uint32) *V {
	last := uint32(len(t.places) - 1)
	at := (node * 0x9e3779b1) >> 7 & last
	for t.places[at].stamp == t.stamp {
		if t.places[at].node == node {
			return &t.places[at].value
		}
		at = (at + 1) & last
	}
	return nil
}

func (t *table[V]) grow() {
	if t.places == nil {
		t.clear()
		return
	}
	old, stamp := t.places, t.stamp
	t.places, t.stamp, t.n = make([]place[V], 2*len(old)), 1, 0
	for _, p := range old {
		if p.stamp == stamp {
			value, _ := t.add(p.node)
			*value = p.value
		}
	}
}
