package minhash

import (
	"fmt"
	"math"
	"testing"
)

// twoSets holds the elements of two sets and their resemblance.
type twoSets struct {
	a, b []uint32
	j    float64
}

// denseIDs returns two sets of n consecutive ids that share half of them.
func denseIDs(n, trial int, element func(id uint32) uint32) twoSets {
	var s twoSets
	first := uint32(trial * 2 * n)
	for i := range uint32(n) {
		s.a = append(s.a, element(first+i))
		s.b = append(s.b, element(first+i+uint32(n/2)))
	}
	shared := n - n/2
	s.j = float64(shared) / float64(2*n-shared)
	return s
}

// twoBags returns two bags of n words, or one or two more, that differ in counts and in some words.
func twoBags(n, trial int) twoSets {
	var s twoSets
	both, all := 0, 0
	for word := uint32(trial * n); len(s.a) < n; word++ {
		ca, cb := int(1+word%3), int(1+(word/3+1)%3)
		if word%5 == 4 {
			ca = 0
		}
		s.a = appendElements(s.a, word, uint32(ca))
		s.b = appendElements(s.b, word, uint32(cb))
		both, all = both+min(ca, cb), all+max(ca, cb)
	}
	s.j = float64(both) / float64(all)
	return s
}

// deviation returns how far estimates deviate from those of min-wise independent permutations: the bias in standard
// errors, and the variance over J(1-J)/80.
func deviation(trials int, sets func(trial int) twoSets) (bias, variance float64) {
	var rowA, rowB [240]byte
	var sum, sum2, expected float64
	for trial := range trials {
		f, s := NewFamily(80, uint64(trial)), sets(trial)
		f.Sign(rowA[:], s.a)
		f.Sign(rowB[:], s.b)
		d := float64(Agreement(rowA[:], rowB[:]))/80 - s.j
		sum, sum2, expected = sum+d, sum2+d*d, expected+s.j*(1-s.j)/80
	}
	return sum / math.Sqrt(expected), sum2 / expected
}

// Each trial has its own family and its own sets, so trials are independent. With 8,000 of them the ratio of variances
// has a standard deviation of 1.6 %: 5 % is three of these; and three standard errors of the bias are 0.002, where
// unmixed ids are wrong by up to 0.014.
const trials = 8000

func TestEstimate(t *testing.T) {
	for _, n := range []int{5, 20, 100, 1000} {
		for name, sets := range map[string]func(trial int) twoSets{
			"dense ids": func(trial int) twoSets {
				return denseIDs(n, trial, func(id uint32) uint32 { return Element(id, 1) })
			},
			"bags": func(trial int) twoSets { return twoBags(n, trial) },
		} {
			t.Run(fmt.Sprintf("%s of %d", name, n), func(t *testing.T) {
				bias, variance := deviation(trials, sets)
				t.Logf("bias %+.2f standard errors, variance %.3f of J(1-J)/80", bias, variance)
				if math.Abs(bias) > 3 {
					t.Errorf("bias is %.2f standard errors", bias)
				}
				if math.Abs(variance-1) > 0.05 {
					t.Errorf("variance is %.3f of J(1-J)/80", variance)
				}
			})
		}
	}
}

// TestUnmixedIDsAreBiased: without Element the estimates are biased.
func TestUnmixedIDsAreBiased(t *testing.T) {
	for _, n := range []int{20, 100} {
		bias, _ := deviation(trials, func(trial int) twoSets {
			return denseIDs(n, trial, func(id uint32) uint32 { return id })
		})
		if math.Abs(bias) < 6 {
			t.Errorf("%d ids: bias is only %.2f standard errors", n, bias)
		}
	}
}

// TestRowsAreStable: rows must never change, because runs store them.
func TestRowsAreStable(t *testing.T) {
	f := NewFamily(5, 42)
	row := make([]byte, f.RowSize())
	f.Sign(row, appendElements(appendElements(nil, 7, 3), 100, 1))
	if got, want := fmt.Sprintf("%x", row), "a0ff09027d2e9a534d70437c856499"; got != want {
		t.Errorf("row %s, want %s", got, want)
	}
	f.Sign(row, nil)
	for _, b := range row {
		if b != 0xff {
			t.Fatalf("row of no elements: %x", row)
		}
	}
}

func TestElementBelowP(t *testing.T) {
	seen := make(map[uint32]bool)
	for term := range uint32(1000) {
		for occurrence := range uint32(10) {
			e := Element(term, occurrence+1)
			if e >= P {
				t.Fatalf("Element(%d, %d) = %d", term, occurrence+1, e)
			}
			seen[e] = true
		}
	}
	if len(seen) < 10_000-1 { // 0.02 repeats expected
		t.Errorf("%d different elements of 10,000", len(seen))
	}
}

func TestAgreement(t *testing.T) {
	for _, m := range []int{1, 31, 32, 33, 64, 80, 96, 127, 128, 129, 300} {
		f := NewFamily(m, 9)
		a, b := make([]byte, f.RowSize()), make([]byte, f.RowSize())
		set := numbers(100, uint64(m))
		f.Sign(a, set)
		f.Sign(b, set[:60])
		want, first := 0, 0
		for i := range m {
			if a[i] == b[i] && a[m+i] == b[m+i] && a[2*m+i] == b[2*m+i] {
				want++
				if i < MaxMask {
					first++
					if !Mask(a, b).Has(i) {
						t.Errorf("m=%d: signature %d is not in the mask", m, i)
					}
				}
			}
		}
		f.Sign(b, set)
		for at := range a { // one byte differs
			a[at] ^= 1
			if got := Agreement(a, b); got != m-1 {
				t.Fatalf("m=%d, byte %d: agreement %d", m, at, got)
			}
			a[at] ^= 1
		}
		f.Sign(b, set[:60])
		if got := Agreement(a, b); got != want {
			t.Errorf("m=%d: agreement %d, want %d", m, got, want)
		}
		if got := Mask(a, b).Count(); got != first {
			t.Errorf("m=%d: mask of %d, want %d", m, got, first)
		}
		if !LowMask(a[:m], b[:m]).Contains(Mask(a, b)) || LowAgreement(a[:m], b[:m]) < want {
			t.Errorf("m=%d: low bytes do not bound the agreement", m)
		}
		if got := Agreement(a, a); got != m {
			t.Errorf("m=%d: agreement with itself %d", m, got)
		}
	}
}

// Disjoint bags of n have a full minimum in common with probability n/2^32; three bytes of it are equal if it differs by a
// multiple of 2^24, which adds up to that divided by tanh(n/2^8). Minima of hashes of 24 bits would be equal about fifty
// times as often.
func TestDisjointBags(t *testing.T) {
	const count, n, m = 1500, 100, 80
	f := NewFamily(m, 1)
	rows := make([][]byte, count)
	for bag := range rows {
		var elements []uint32
		for i := range n {
			elements = append(elements, Element(uint32(bag*n+i), 1))
		}
		rows[bag] = make([]byte, f.RowSize())
		f.Sign(rows[bag], elements)
	}
	equal := 0
	for a := range rows {
		for b := range a {
			equal += Agreement(rows[a], rows[b])
		}
	}
	want := m * count * (count - 1) / 2 * n / math.Exp2(32) / math.Tanh(n/math.Exp2(8))
	if math.Abs(float64(equal)-want) > 4*math.Sqrt(want) {
		t.Errorf("%d equal signatures, want %.1f within four standard deviations", equal, want)
	}
}

// appendElements appends the elements (term,1)…(term,count) to dst.
func appendElements(dst []uint32, term, count uint32) []uint32 {
	for i := uint32(0); i < count; i++ {
		dst = append(dst, Element(term, i+1))
	}
	return dst
}
