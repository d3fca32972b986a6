package pages

// area is a rectangle of a drawing.
type area struct{ x, y, width, height float64 }

func (b area) overlaps(o area) bool {
	return b.x < o.x+o.width && o.x < b.x+b.width && b.y < o.y+o.height && o.y < b.y+b.height
}

func (b area) inside(f frame) bool {
	return b.x >= 0 && b.y >= 0 && b.x+b.width <= f.width && b.y+b.height <= f.height
}

// placed is a label that has found its place. Text is empty if there was none.
type placed struct {
	Text   string
	Anchor string // start, middle or end
	at     spot   // of the anchor, on the base line
	box    area
}

// labelSize is the height of labels.
const labelSize = 13

// labelRooms are the widths to which a label is shortened until it has a place.
var labelRooms = []float64{185, 115}

// place finds places for the labels of nodes, those of the first nodes first. No label overlaps another one or a node,
// and none leaves the frame. fitted shortens a text to a width and returns the width that it has.
func (f frame) place(at []spot, radius []float64, texts []string, fitted func(text string, room float64) (string, float64)) []placed {
	taken := make([]area, len(at))
	for i, p := range at {
		taken[i] = area{p.x - radius[i], p.y - radius[i], 2 * radius[i], 2 * radius[i]}
	}
	out := make([]placed, len(at))
	for i, text := range texts {
		if out[i] = f.placeOne(at[i], radius[i], text, taken, fitted); out[i].Text != "" {
			taken = append(taken, out[i].box)
		}
	}
	return out
}

func (f frame) placeOne(p spot, radius float64, text string, taken []area, fitted func(string, float64) (string, float64)) placed {
	if text == "" {
		return placed{}
	}
	for _, room := range labelRooms {
		short, width := fitted(text, room)
		for _, l := range around(p, radius, width) {
			free := l.box.inside(f)
			for _, b := range taken {
				free = free && !l.box.overlaps(b)
			}
			if free {
				l.Text = short
				return l
			}
		}
		if width <= labelRooms[len(labelRooms)-1] {
			break
		}
	}
	return placed{}
}

// around returns the places of a label about a node: right, left, below, above, and the same shifted to the corners.
func around(p spot, radius, width float64) (all []placed) {
	const gap, height = 4, labelSize + 4
	at := func(anchor string, x, y float64) {
		left := map[string]float64{"start": 0, "middle": width / 2, "end": width}[anchor]
		all = append(all, placed{Anchor: anchor, at: spot{x, y}, box: area{x - left - 1, y - labelSize, width + 2, height}})
	}
	far, half := radius+gap, labelSize/3.0
	at("start", p.x+far, p.y+half)
	at("end", p.x-far, p.y+half)
	at("middle", p.x, p.y+far+labelSize-2)
	at("middle", p.x, p.y-far)
	side := radius * 0.8
	at("start", p.x+side, p.y-side)
	at("start", p.x+side, p.y+side+labelSize-2)
	at("end", p.x-side, p.y-side)
	at("end", p.x-side, p.y+side+labelSize-2)
	return all
}
