package pipeline_test

import "testing"

// The other presets and columns.
func TestLongLinksTableIsPages(t *testing.T) {
	linksTableIsPages(t, "paper2000", "with surroundings")
	linksTableIsPages(t, "web", "anchors")
	linksTableIsPages(t, "paper2000", "anchors")
}
