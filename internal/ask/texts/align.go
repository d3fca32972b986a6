package texts

// aligned is a row of two aligned texts: the index of a line in each, or -1.
type aligned struct{ a, b int }

// maxAlign limits the product of the numbers of lines to align. Longer texts are paired line by line.
const maxAlign = 25_000_000

// align aligns the lines of two texts so that as many rows as possible have equal lines.
func align(a, b []marked) []aligned {
	from := 0
	for from < len(a) && from < len(b) && a[from].key == b[from].key {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1].key == b[endB-1].key {
		endA, endB = endA-1, endB-1
	}
	var rows []aligned
	for i := range from {
		rows = append(rows, aligned{i, i})
	}
	rows = append(rows, alignMiddle(a, b, from, endA, endB)...)
	for i := range len(a) - endA {
		rows = append(rows, aligned{endA + i, endB + i})
	}
	return rows
}

// alignMiddle aligns a[from:endA] and b[from:endB] by a longest common subsequence.
func alignMiddle(a, b []marked, from, endA, endB int) []aligned {
	n, m := endA-from, endB-from
	if n*m > maxAlign {
		return beside(from, endA, from, endB)
	}
	best := make([]int32, (n+1)*(m+1)) // best[i,j]: length for the lines from i and j on
	at := func(i, j int) *int32 { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[from+i].key == b[from+j].key {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	var rows []aligned
	i, j, lastI, lastJ := 0, 0, 0, 0
	for i < n && j < m {
		switch {
		case a[from+i].key == b[from+j].key:
			rows = append(rows, beside(from+lastI, from+i, from+lastJ, from+j)...)
			rows = append(rows, aligned{from + i, from + j})
			i, j = i+1, j+1
			lastI, lastJ = i, j
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	return append(rows, beside(from+lastI, endA, from+lastJ, endB)...)
}

// beside pairs lines without comparing them.
func beside(a, endA, b, endB int) []aligned {
	var rows []aligned
	for a < endA || b < endB {
		r := aligned{-1, -1}
		if a < endA {
			r.a, a = a, a+1
		}
		if b < endB {
			r.b, b = b, b+1
		}
		rows = append(rows, r)
	}
	return rows
}
