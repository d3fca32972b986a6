package evaluate

import (
	"fmt"
	"io"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// recallTable prints a row for each range of exact similarity: what the formula predicts, the share of the pairs with a
// common key and enough agreement ("=" if the formula lies in its interval), and the share that the run stored.
func recallTable(w io.Writer, x *Recall) {
	fmt.Fprintf(w, "%d documents compared with all others\n%s\n\n", x.Sampled, x.Index)
	fmt.Fprintf(w, "%-10s %9s %7s  %-21s  %s\n", "similarity", "pairs", "formula", "keys", "stored")
	for _, b := range append(slices.Clip(x.Bins), x.Above) {
		mark := map[bool]string{true: "=", false: "!"}[b.Expected()]
		if !b.Keys.Defined() {
			mark = ""
		}
		fmt.Fprintf(w, "%.2f-%.2f  %9d %7s  %-21s  %s\n", b.From, b.To, b.Pairs, bare(b.Formula), cell(b.Keys)+" "+mark, cell(b.Stored))
	}
	fmt.Fprintln(w, "\nshare of the nearest neighbours of a document that its list holds")
	for _, n := range x.Nearest {
		apart := map[bool]string{true: "apart"}[n.Apart]
		fmt.Fprintf(w, "  %-8s %-6s %2d nearest  %s\n", n.List, apart, n.Top, cell(n.Recall))
	}
	if len(x.Keys) > 0 {
		fmt.Fprintf(w, "\nleast number of keys that find enough of the pairs of %.3g or more, by formula\n  size  keys  recall\n", x.Above.From)
	}
	for _, k := range x.Keys {
		fmt.Fprintf(w, "  %-4d %5d  %.3f\n", k.KeySize, k.Keys, k.Recall)
	}
}

// printBounds prints the errors of sketches.
func printBounds(w io.Writer, eps float64) {
	rows := shingles.Bounds([]int{25, 50, 100, 200, 400}, []float64{0.2, 0.5, 0.8, 0.9, 0.95}, eps)
	fmt.Fprintf(w, "%8s %12s %14s %10s %16s\n", "samples", "resemblance", fmt.Sprintf("within ±%.3g", eps), "std error", "95 % between")
	for _, b := range rows {
		fmt.Fprintf(w, "%8d %12.2f %14.4f %10.4f %8.3f %7.3f\n", b.Samples, b.Resemblance, b.Within, b.StdErr, b.Low, b.High)
	}
	fmt.Fprintf(w, "\nMOD_%d: samples of a document\n%10s %10s %8s %14s\n", shingles.DefaultM, "shingles", "expected", "±", "none at all")
	for _, s := range shingles.ModBounds(shingles.DefaultM, []int{10, 100, 1000, 2500, 10000, 100000}) {
		fmt.Fprintf(w, "%10d %10.1f %8.1f %14.3g\n", s.Shingles, s.Expected, s.StdDev, s.Empty)
	}
}
