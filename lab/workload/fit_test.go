package workload

import (
	"fmt"
	"io"
	"math"
	"testing"
)

// generated measures a generated crawl.
func generated(t testing.TB, c Config) *measures {
	t.Helper()
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r, out := io.Pipe()
	go func() { out.CloseWithError(w.WritePages(t.Context(), out, 0, w.Pages())) }()
	return measureFile(t, r)
}

// distance is the Kolmogorov-Smirnov distance of two sorted lists: the largest difference of their distributions.
func distance(a, b []float64) (most float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// byRank returns the distribution of occurrences over ranks, as a share of all up to each of some ranks.
func byRank(counts []float64, upTo []int) (shares []float64) {
	sum, at := 0.0, 0.0
	for _, n := range counts {
		sum += n
	}
	r := 0
	for _, to := range upTo {
		for ; r < to && r < len(counts); r++ {
			at += counts[len(counts)-1-r]
		}
		shares = append(shares, at/sum)
	}
	return shares
}

// TestLongFit compares a generated crawl with the directory set, of the same number of pages.
func TestLongFit(t *testing.T) {
	is, like := realMeasures(t), generated(t, Config{Seed: 1, Pages: 14612, Planted: .01})
	t.Logf("%-26s %12s %12s", "", "real", "generated")
	figure := func(name string, a, b, within float64) {
		t.Logf("%-26s %12.4g %12.4g", name, a, b)
		if !(math.Abs(a-b) <= within*a) {
			t.Errorf("%s: %.4g and %.4g differ by more than %.0f %%", name, a, b, 100*within)
		}
	}
	figure("links", is.links, like.links, .1)
	figure("targets", float64(len(is.inLinks)), float64(len(like.inLinks)), .1)
	figure("hosts", float64(len(is.hostTargets)), float64(len(like.hostTargets)), .15)
	figure("distinct words", float64(len(is.words)), float64(len(like.words)), .2)
	figure("co-listed", is.shared, like.shared, .15)
	n := min(len(is.growth), len(like.growth)) - 1
	figure("growth of the vocabulary", math.Log2(is.growth[n]/is.growth[n-8])/8, math.Log2(like.growth[n]/like.growth[n-8])/8, .2)
	for _, l := range []struct {
		name     string
		a, b     []float64
		farthest float64
	}{
		{"links of a page", is.pageLinks, like.pageLinks, .04}, {"words of a page", is.pageWords, like.pageWords, .06},
		{"in-links of a target", is.inLinks, like.inLinks, .03}, {"targets of a host", is.hostTargets, like.hostTargets, .05},
		{"words of an anchor", is.anchorWords, like.anchorWords, .03}, {"words beside a link", is.sideWords, like.sideWords, .03},
		{"occurrences of a word", is.words, like.words, .1},
	} {
		d := distance(l.a, l.b)
		t.Logf("%-26s Kolmogorov-Smirnov distance %.4f", l.name, d)
		for _, q := range []float64{.1, .25, .5, .75, .9, .95, .99, .999, .9999, 1} {
			t.Logf("%26g %12.6g %12.6g", q, quantile(l.a, q), quantile(l.b, q))
		}
		if d > l.farthest {
			t.Errorf("%s: distance %.4f, more than %g", l.name, d, l.farthest)
		}
	}
	at := []int{1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000}
	for _, l := range []struct {
		name     string
		a, b     []float64
		farthest float64
	}{{"words", is.words, like.words, .05}, {"links to targets", is.inLinks, like.inLinks, .05}, {"targets of hosts", is.hostTargets, like.hostTargets, .05}} {
		a, b := byRank(l.a, at), byRank(l.b, at)
		for i, r := range at {
			t.Logf("%-26s %12.4f %12.4f", fmt.Sprintf("%s to rank %d", l.name, r), a[i], b[i])
			if math.Abs(a[i]-b[i]) > l.farthest {
				t.Errorf("%s: share of the first %d: %.4f and %.4f", l.name, r, a[i], b[i])
			}
		}
	}
}
