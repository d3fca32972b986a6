package pipeline_test

import "testing"

// More pages, with all kinds of sketches.
func TestLongSketches(t *testing.T) { sameSketches(t, 150, sketched(t)) }
