package run

import "unsafe"

// SharedTable is the name of the table of the texts that two runs share. It belongs to neither.
const SharedTable = "shared.parquet"

// SharedRow is a page of one run and a page of another one with the same or a similar text.
type SharedRow struct {
	URLA        string  `parquet:"url_a"`
	URLB        string  `parquet:"url_b"`
	Relation    string  `parquet:"relation,dict"` // identical, lexical, shingle, similar or contained
	Resemblance float32 `parquet:"resemblance"`
	AInB        float32 `parquet:"a_in_b,optional"` // share of a's shingles that b has; null if it is 0 or the sketches do not tell
	BInA        float32 `parquet:"b_in_a,optional"`
	CopiesA     int32   `parquet:"copies_a"`  // other pages of the first run that equal a
	CopiesB     int32   `parquet:"copies_b"`  // other pages of the second run that equal b
	Estimated   bool    `parquet:"estimated"` // the figures are estimates; else they are exact
	Samples     int32   `parquet:"samples"`   // on which the resemblance rests; 0 if it is exact
	StdError    float32 `parquet:"std_error"` // of the resemblance; 0 if it is exact
}

func (r SharedRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB) }
