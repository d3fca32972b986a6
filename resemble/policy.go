package resemble

import "fmt"

// Policy decides which pairs are links of clusters.
type Policy struct {
	// Threshold is the least resemblance of a link; 0 means 0.5.
	Threshold float64
	// Containment, if not 0, is the least containment, in either direction, of a pair that is also a link, so that a
	// document and one that contains it are in one cluster. If it is 0, they are not, unless they are similar.
	Containment float64
}

func (p Policy) withDefaults() (Policy, error) {
	orDefault(&p.Threshold, 0.5)
	if !(p.Threshold > 0 && p.Containment >= 0) {
		return p, fmt.Errorf("resemble: policy %+v: want numbers above 0", p)
	}
	return p, nil
}

// Links reports whether a pair is a link.
func (p Policy) Links(x Pair) bool {
	return x.Resemblance() >= p.Threshold || p.Containment > 0 && x.Containment() >= p.Containment
}
