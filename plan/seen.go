package plan

import "math"

// Seen counts the documents of a trial by how often they occur in it: as the page of a capture, or as the target of the
// links of a page.
type Seen struct {
	Once, Twice  float64
	Linked, Both float64 // that are linked to; of these, those whose page was captured too
	Most         float64 // links to the document that has most of them
}

// documents returns the number of documents in an input that is as large as that many trials and has some pages, given
// the documents d of the trial. It is the least of three estimates, each of which is too high for crawls of some kind.
//
// The share of the documents that occur once is the growth of the moment (Good and Turing), and documents grow with that
// power of the input if it stays the same. Generated crawls and the directory set come close to this.
//
// In a closed set of pages that link to one another, growth ends, and the documents that occur twice tell how soon; see
// mixture. How much of a crawl is closed is told by the targets that were captured too; see closed.
func (s Seen) documents(d, times, pages float64) float64 {
	if d <= 0 {
		return 0
	}
	open := min(d*math.Pow(times, min(s.Once/d, 1)), s.mixture(d, times))
	return min(open, s.closed(open*s.Linked/d, times, pages))
}

const (
	leastBoth  = 10  // with fewer targets that were captured, closed tells nothing
	mostClosed = .95 // some links always leave a crawl
)

// closed returns the number of documents of a crawl with the given numbers of targets and pages. A target that is a page
// of the crawl is a page of the trial with a probability of 1/times, so the share of the targets that are pages of the
// trial, multiplied by times, is the share of those that are pages of the crawl. They are no documents of their own.
func (s Seen) closed(targets, times, pages float64) float64 {
	if s.Both < leastBoth {
		return math.Inf(1)
	}
	return pages + targets*(1-min(s.Both/s.Linked*times, mostClosed))
}

// mixture returns the documents of a crawl in which some occur only once however much is read, and the others occur
// equally often, at random: a trial has a·x documents of the first kind and b·(1-exp(-c·x)) of the second, where x is its
// size, so that
//
//	d     = a + b·(1 - exp(-c))
//	once  = a + b·c·exp(-c)
//	twice = b·c²/2·exp(-c)
func (s Seen) mixture(d, times float64) float64 {
	again := d - s.Once
	if again <= 0 || s.Twice <= 0 {
		return d + s.Once*(times-1)
	}
	ratio := min(s.Twice/again, 0.999)
	low, high := 1e-6, 50.0
	for range 100 { // twice/again falls with c from 1 to 0
		c := math.Sqrt(low * high)
		if c*c/2*math.Exp(-c)/(1-math.Exp(-c)-c*math.Exp(-c)) > ratio {
			low = c
		} else {
			high = c
		}
	}
	c := low
	b := again / (1 - math.Exp(-c) - c*math.Exp(-c))
	a := s.Once - b*c*math.Exp(-c)
	if a < 0 { // there is none of the first kind: the mean of what is seen decides
		b = s.Twice / (c * c / 2 * math.Exp(-c))
		return d + b*(math.Exp(-c)-math.Exp(-c*times))
	}
	return a*times + b*(1-math.Exp(-c*times))
}
