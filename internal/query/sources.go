package query

// Sources returns the hashes of the canonical URLs of the pages that link to a document, distinct and ascending. The
// slice points into the table.
func (r *Run) Sources(id uint32) []uint64 { return r.sources.Of(id) }
