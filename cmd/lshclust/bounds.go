package main

import (
	"fmt"

	"github.com/lshclust/lshclust/shingles"
	"github.com/spf13/cobra"
)

func newBounds() *cobra.Command {
	var (
		samples      = []int{25, 50, 100, 200, 400}
		resemblances = []float64{0.2, 0.5, 0.8, 0.9, 0.95}
		eps          float64
		m            uint64
		o            = &output{}
	)
	c := &cobra.Command{
		Use:   "bounds",
		Short: "How far estimates from sketches are from the truth",
		Long: `Bounds prints how far the resemblance that sketches estimate is from the true one. For a number of samples in the union
of both sketches, it prints the probability that the estimate is within eps of the truth (p(s,r,eps) of Broder 1997), the
standard error, and the range of the middle 95 % of estimates. The sketches MOD_m of two documents with n distinct shingles
together have about n/m samples. The pairs that a run stores have exact figures; sketches only
choose what is compared. A run that keeps sketches (lshclust cluster --keep sketches) has estimates with these errors.`,
		Example: `  lshclust bounds
  lshclust bounds --samples 100,200 --resemblance 0.5,0.9 --eps 0.05
  lshclust bounds --modulus 25 --format csv`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := o.check(); err != nil {
				return err
			}
			for _, r := range resemblances {
				if !(r >= 0 && r <= 1) {
					return usage(fmt.Errorf("--resemblance %g: must be 0 to 1", r))
				}
			}
			for _, n := range samples {
				if n < 1 || n > mostNumber {
					return usage(fmt.Errorf("--samples %d: must be 1 to %d", n, mostNumber))
				}
			}
			rows := shingles.Bounds(samples, resemblances, eps)
			if o.format == formatTable {
				boundsTable(rows, eps, m)
				return nil
			}
			out := o.rows(printed, "samples", "resemblance", "eps", "within", "stderr", "low", "high")
			for _, b := range rows {
				if err := out.row(b.Samples, b.Resemblance, b.Eps, b.Within, b.StdErr, b.Low, b.High); err != nil {
					return err
				}
			}
			return out.close()
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntSliceVar(&samples, "samples", samples, "print rows for these numbers of samples, `N,N,...`")
	f.Float64SliceVar(&resemblances, "resemblance", resemblances, "print rows for these true resemblances, `R,R,...`")
	f.Lookup("samples").DefValue, f.Lookup("resemblance").DefValue = "25,50,100,200,400", "0.2,0.5,0.8,0.9,0.95"
	f.Float64Var(&eps, "eps", 0.05, "allow an error of `E`")
	f.Uint64Var(&m, "modulus", shingles.DefaultM, "print the samples of documents of several sizes for this `m` of MOD_m")
	inRange(f, "eps", 0, 1)
	inRange(f, "modulus", 1, 1<<16)
	o.bind(f, "")
	return c
}

func boundsTable(rows []shingles.Bound, eps float64, m uint64) {
	fmt.Fprintf(printed, "%8s %12s %14s %10s %16s\n", "samples", "resemblance", fmt.Sprintf("within ±%.3g", eps), "std error", "95 % between")
	for _, b := range rows {
		fmt.Fprintf(printed, "%8d %12.2f %14.4f %10.4f %8.3f %7.3f\n", b.Samples, b.Resemblance, b.Within, b.StdErr, b.Low, b.High)
	}
	fmt.Fprintf(printed, "\nMOD_%d: samples of a document\n%10s %10s %8s %14s\n", m, "shingles", "expected", "±", "none at all")
	for _, s := range shingles.ModBounds(m, []int{10, 100, 1000, 2500, 10000, 100000}) {
		fmt.Fprintf(printed, "%10d %10.1f %8.1f %14.3g\n", s.Shingles, s.Expected, s.StdDev, s.Empty)
	}
}
