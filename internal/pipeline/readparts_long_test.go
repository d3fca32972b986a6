package pipeline_test

import "testing"

// More worlds are read in parts.
func TestLongSameBytesInParts(t *testing.T) { sameInParts(t, 0, 1, 2, 3, 4) }
