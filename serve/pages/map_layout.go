package pages

import "math"

// spot is a place on a drawing, in its units. y grows downwards.
type spot struct{ x, y float64 }

func (s spot) minus(o spot) spot { return spot{s.x - o.x, s.y - o.y} }
func (s spot) length() float64   { return math.Hypot(s.x, s.y) }

// spread places nodes so that their distances come near the wanted ones, by stress majorization (Gansner, Koren and
// North 2004): starting on a spiral, each node in turn moves to the mean of where the others want it, near ones counting
// most. The same distances always give the same places. The cost is rounds times the square of the nodes.
func spread(wanted [][]float64) []spot {
	const rounds = 200
	at := spiral(len(wanted))
	for range rounds {
		for i := range at {
			var sum spot
			weights := 0.0
			for j := range at {
				d := wanted[i][j]
				if i == j || d <= 0 {
					continue
				}
				apart := at[i].minus(at[j])
				if apart.length() == 0 {
					apart = spot{1e-6 * float64(i-j), 1e-6}
				}
				w, stretch := 1/(d*d), d/apart.length()
				sum.x += w * (at[j].x + apart.x*stretch)
				sum.y += w * (at[j].y + apart.y*stretch)
				weights += w
			}
			if weights > 0 {
				at[i] = spot{sum.x / weights, sum.y / weights}
			}
		}
	}
	return at
}

// spiral places n nodes on a sunflower's spiral, the first one in the middle.
func spiral(n int) []spot {
	golden := math.Pi * (3 - math.Sqrt(5))
	at := make([]spot, n)
	for i := range at {
		r, angle := math.Sqrt(float64(i)), golden*float64(i)
		at[i] = spot{r * math.Cos(angle), r * math.Sin(angle)}
	}
	return at
}

// shortestWays completes distances: where one is missing (0), it becomes the length of the shortest way over others, and
// where there is none, somewhat more than the longest way.
func shortestWays(distance [][]float64) {
	n := len(distance)
	for i := range n {
		for j := range n {
			if i != j && distance[i][j] == 0 {
				distance[i][j] = math.Inf(1)
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				distance[i][j] = min(distance[i][j], distance[i][k]+distance[k][j])
			}
		}
	}
	longest := 1.0
	for _, row := range distance {
		for _, d := range row {
			if !math.IsInf(d, 1) {
				longest = max(longest, d)
			}
		}
	}
	for _, row := range distance {
		for j, d := range row {
			if math.IsInf(d, 1) {
				row[j] = longest * 1.2
			}
		}
	}
}

// frame is the area of a drawing in which nodes may be: from margin to its width and height without margin.
type frame struct{ width, height, margin float64 }

func (f frame) clamp(p spot) spot {
	return spot{min(max(p.x, f.margin), f.width-f.margin), min(max(p.y, f.margin), f.height-f.margin)}
}

// mostStretch is how much more one direction is scaled than the other to fill a frame.
const mostStretch = 1.6

// fit turns places so that they extend most along the width of a frame, and scales them to fill it.
func (f frame) fit(at []spot) {
	if len(at) == 0 {
		return
	}
	turn(at)
	low, high := at[0], at[0]
	for _, p := range at {
		low, high = spot{min(low.x, p.x), min(low.y, p.y)}, spot{max(high.x, p.x), max(high.y, p.y)}
	}
	size := high.minus(low)
	sx, sy := (f.width-2*f.margin)/max(size.x, 1e-9), (f.height-2*f.margin)/max(size.y, 1e-9)
	sx, sy = min(sx, sy*mostStretch), min(sy, sx*mostStretch)
	for i, p := range at {
		at[i] = spot{f.width/2 + (p.x-(low.x+high.x)/2)*sx, f.height/2 + (p.y-(low.y+high.y)/2)*sy}
	}
}

// turn rotates places about their middle so that their longest axis is horizontal.
func turn(at []spot) {
	var mid spot
	for _, p := range at {
		mid.x += p.x / float64(len(at))
		mid.y += p.y / float64(len(at))
	}
	var xx, xy, yy float64
	for _, p := range at {
		d := p.minus(mid)
		xx, xy, yy = xx+d.x*d.x, xy+d.x*d.y, yy+d.y*d.y
	}
	sin, cos := math.Sincos(-math.Atan2(2*xy, xx-yy) / 2)
	for i, p := range at {
		d := p.minus(mid)
		at[i] = spot{mid.x + d.x*cos - d.y*sin, mid.y + d.x*sin + d.y*cos}
	}
}

// separate pushes nodes apart until each two are at least gap apart, or for a bounded number of rounds. All stay in the
// frame.
func (f frame) separate(at []spot, gap float64) {
	const rounds = 400
	for range rounds {
		moved := false
		for i := range at {
			for j := range i {
				apart := at[i].minus(at[j])
				length := apart.length()
				if length >= gap {
					continue
				}
				moved = true
				if length < 1e-6 {
					sin, cos := math.Sincos(float64(i))
					apart, length = spot{cos, sin}, 1
				}
				push := (gap - min(length, gap) + 0.5) / 2 / apart.length()
				at[i] = f.clamp(spot{at[i].x + apart.x*push, at[i].y + apart.y*push})
				at[j] = f.clamp(spot{at[j].x - apart.x*push, at[j].y - apart.y*push})
			}
		}
		if !moved {
			return
		}
	}
}
