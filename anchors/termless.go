package anchors

// NewTermlessExtractor returns an extractor whose fragments have linking sentences but no terms, for runs without the
// topical view. It does not look at windows.
func NewTermlessExtractor() *Extractor { return &Extractor{} }

// termless reports whether the fragments have no terms. The weights of a window are never empty: the first is that of
// the anchor.
func (e *Extractor) termless() bool { return e.inside == nil }
