package answer

import "github.com/lshclust/lshclust/internal/query"

// TextsAnswer lists the texts of pages without what their hosts repeat.
type TextsAnswer struct {
	Items []*query.MainText `json:"items"`
}
