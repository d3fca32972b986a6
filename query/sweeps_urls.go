package query

// Canonical returns the canonical form of a URL by the rules of the run. The scheme may be missing.
func (r *Run) Canonical(url string) (string, error) { return r.canonical(url) }

// There reports whether the run has a page at a document: it was crawled and does not say that it was not found.
func (r *Run) There(id uint32) bool { return r.there(id) }
