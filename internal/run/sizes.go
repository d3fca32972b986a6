package run

import "maps"

// SetSizes records the sizes by which the program divides stages into parts. If an earlier process recorded others,
// its parts do not fit those of this process: SetSizes forgets the parts of all stages except keep, whose parts
// describe their own contents. It returns the differences, and the unfinished stage that loses its parts, or "".
func (d *Dir) SetSizes(sizes map[string]int64, keep string) (stage string, diffs []string, err error) {
	if diffs = d.DiffSizes(sizes); len(diffs) == 0 {
		return "", nil, nil
	}
	d.parting.Lock()
	defer d.parting.Unlock()
	for _, p := range d.parts {
		if p.Stage != keep && !d.Done(p.Stage) {
			stage = p.Stage
		}
	}
	if err := d.keepParts(func(p part) bool { return p.Stage == keep }); err != nil {
		return stage, diffs, err
	}
	d.state.Sizes = maps.Clone(sizes)
	return stage, diffs, d.saveState()
}

// DiffSizes returns a line for each difference between the given sizes of parts and those that SetSizes recorded.
func (d *Dir) DiffSizes(sizes map[string]int64) []string {
	return diffValue("", leaves(d.state.Sizes), leaves(sizes))
}

// leaves returns sizes in the form that diffValue compares.
func leaves(sizes map[string]int64) map[string]any {
	out := map[string]any{}
	for name, n := range sizes {
		out[name] = n
	}
	return out
}
