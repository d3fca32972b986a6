package expand

// set is a set of nodes with open addressing. A place is in use if its stamp is that of the set, so that clearing the
// set costs nothing.
type set struct {
	places []place
	stamp  uint32
	n      int
}

type place struct{ node, stamp uint32 }

func (s *set) clear() {
	s.n = 0
	if s.stamp++; s.stamp == 0 || s.places == nil {
		s.places, s.stamp = make([]place, 1<<8), 1
	}
}

// add adds a node and reports whether it is new.
func (s *set) add(node uint32) bool {
	if s.places == nil {
		s.clear()
	}
	last := uint32(len(s.places) - 1)
	at := (node * 0x9e3779b1) >> 7 & last
	for s.places[at].stamp == s.stamp {
		if s.places[at].node == node {
			return false
		}
		at = (at + 1) & last
	}
	s.places[at] = place{node, s.stamp}
	if s.n++; 2*s.n > len(s.places) {
		s.grow()
	}
	return true
}

func (s *set) grow() {
	old, stamp := s.places, s.stamp
	s.places, s.stamp, s.n = make([]place, 2*len(old)), 1, 0
	for _, p := range old {
		if p.stamp == stamp {
			s.add(p.node)
		}
	}
}
