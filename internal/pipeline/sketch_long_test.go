package pipeline_test

import "testing"

// More pages, with all kinds of sketches.
func TestLongSketchSameBytes(t *testing.T) { sameSketches(t, 150, sketched(t)) }
