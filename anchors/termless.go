package anchors

// NewTermlessExtractor returns an extractor whose fragments have no terms but only linking sentences, for runs without
// the topical view. It looks at no windows.
func NewTermlessExtractor() *Extractor { return &Extractor{} }

// termless reports whether the fragments have no terms. The weights of a window are never empty: they begin with that of
// the anchor.
func (e *Extractor) termless() bool { return e.inside == nil }
