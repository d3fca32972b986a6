package moved

// rounds is the number of rounds in which Relate learns which folders moved.
const rounds = 2

// Relate sets the evidence that gone pages and candidates give about one another.
func (m *Model) Relate(pages []Page) {
	leads(pages, func(e *Evidence) float64 { return e.Resemblance }, func(e *Evidence) *float64 { return &e.TextLead })
	leads(pages, func(e *Evidence) float64 { return e.Context }, func(e *Evidence) *float64 { return &e.LinkLead })
	for range rounds {
		m.folders(pages)
	}
}

// top is the largest of some figures, and the second largest.
type top struct{ first, second float64 }

func (t *top) add(x float64) {
	if x > t.first {
		t.first, t.second = x, t.first
	} else {
		t.second = max(t.second, x)
	}
}

// lead returns by how much a figure exceeds all others.
func (t *top) lead(x float64) float64 {
	if x < t.first {
		return 0
	}
	return t.first - t.second
}

// leads sets the lead of each candidate: by how much its figure exceeds those of the other candidates of the gone page
// and of the other gone pages with the candidate.
func leads(pages []Page, figure func(*Evidence) float64, lead func(*Evidence) *float64) {
	claims := map[uint32]*top{}
	rows := make([]top, len(pages))
	for i := range pages {
		for j := range pages[i].Candidates {
			c := &pages[i].Candidates[j]
			if claims[c.Page] == nil {
				claims[c.Page] = &top{}
			}
			x := figure(&c.Evidence)
			claims[c.Page].add(x)
			rows[i].add(x)
		}
	}
	for i := range pages {
		for j := range pages[i].Candidates {
			c := &pages[i].Candidates[j]
			x := figure(&c.Evidence)
			*lead(&c.Evidence) = min(rows[i].lead(x), claims[c.Page].lead(x))
		}
	}
}

// folders sets the evidence Folder of all candidates: among the other pages of a gone page's folder that went anywhere,
// the share that went to the folder of the candidate. If a whole folder moved, its clear cases decide the others.
// Folder is 0 for pages and candidates without a folder.
func (m *Model) folders(pages []Page) {
	type step struct{ from, to string }
	to, from := map[step]float64{}, map[string]float64{}
	probable := make([][]float64, len(pages))
	for i, p := range pages {
		probable[i] = probabilities(nil, m.utilities(&p))
		for j, c := range p.Candidates {
			to[step{p.Folder, c.Folder}] += probable[i][j]
			from[p.Folder] += probable[i][j]
		}
	}
	for i, p := range pages {
		own, all := map[string]float64{}, 0.0
		for j, c := range p.Candidates {
			own[c.Folder] += probable[i][j]
			all += probable[i][j]
		}
		for j := range p.Candidates {
			c := &p.Candidates[j]
			if c.Folder != "" && p.Folder != "" {
				c.Evidence.Folder = max(0, to[step{p.Folder, c.Folder}]-own[c.Folder]) / (1 + max(0, from[p.Folder]-all))
			}
		}
	}
}
