package run

import "unsafe"

// SyntacticEstimateRow is one pair of the syntactic view of a run that keeps sketches: SyntacticPairRow, with what
// tells how far the figures can be trusted.
type SyntacticEstimateRow struct {
	URLA          string  `parquet:"url_a"`
	URLB          string  `parquet:"url_b"`
	Resemblance   float32 `parquet:"resemblance"`
	ContainmentAB float32 `parquet:"containment_ab,optional"` // share of a's shingles that b has; null if the sketches do not tell
	ContainmentBA float32 `parquet:"containment_ba,optional"`
	Relation      string  `parquet:"relation"`  // identical, lexical, shingle, similar or contained
	Estimated     bool    `parquet:"estimated"` // the figures are estimates; else they are exact
	Samples       int32   `parquet:"samples"`   // on which the resemblance rests; 0 for equal pages
	StdError      float32 `parquet:"std_error"` // of the resemblance; 0 if it is exact
}

func (r SyntacticEstimateRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB)
}

// HasColumn reports whether the Parquet file at path has a column of this name.
func HasColumn(path, name string) (bool, error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return false, err
	}
	_, ok := pf.Schema().Lookup(name)
	return ok, f.Close()
}
