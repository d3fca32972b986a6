package moved

// increment is the least step by which an auction raises a price. It bounds the loss against the best assignment: at
// most one increment per page.
const increment = 0.01

// offer is an object that a bidder may get, with its value to the bidder.
type offer struct {
	object int
	value  float64
}

// assign gives each object to at most one bidder, and each bidder at most one of the objects offered to it, so that the
// sum of the values is the largest. A bidder without an object has the value 0, so it never takes an object of negative
// value. The result is the place of each bidder's object among its offers, or -1.
//
// It is Bertsekas's auction (The auction algorithm, 1988): a bidder without an object bids for the one whose value
// exceeds its price most, and raises the price until the second best is as good. Prices only rise, so a bidder for whom
// everything has become too expensive is out for good. If n bidders all want the same few objects, assign takes time
// proportional to n plus the number of steps of the prices, not to the square of n.
func assign(offers [][]offer) []int {
	got := make([]int, len(offers))
	price, owner := map[int]float64{}, map[int]int{}
	waiting := make([]int, 0, len(offers))
	for i := len(offers) - 1; i >= 0; i-- {
		got[i] = -1
		waiting = append(waiting, i)
	}
	for len(waiting) > 0 {
		i := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		best, first, second := -1, 0.0, 0.0
		for at, o := range offers[i] {
			switch gain := o.value - price[o.object]; {
			case gain > first:
				best, first, second = at, gain, first
			case gain > second:
				second = gain
			}
		}
		if best < 0 {
			continue
		}
		o := offers[i][best].object
		price[o] += first - second + increment
		if before, taken := owner[o]; taken {
			got[before] = -1
			waiting = append(waiting, before)
		}
		owner[o], got[i] = i, best
	}
	return got
}
