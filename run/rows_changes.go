package run

import "unsafe"

// ChangesTable is the name of the table of changes between two runs. It belongs to neither.
const ChangesTable = "changes.parquet"

// ChangeRow is what became of one URL between two runs.
type ChangeRow struct {
	URL         string  `parquet:"url"`
	Change      string  `parquet:"change"`      // same, edited, rewritten, moved, gone, new
	NewURL      string  `parquet:"new_url"`     // of a page that moved; otherwise empty
	Resemblance float32 `parquet:"resemblance"` // of the two texts, 0 for gone and new pages
	OfOld       float32 `parquet:"of_old"`      // share of the old text that the new one has
	OfNew       float32 `parquet:"of_new"`      // share of the new text that the old one had
	Confidence  float32 `parquet:"confidence"`  // that the page moved to new_url; 1 for all others
}

func (r ChangeRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.NewURL) }
