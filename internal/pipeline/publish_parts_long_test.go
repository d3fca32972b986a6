package pipeline_test

import "testing"

// Runs are killed before the other steps that write tables.
func TestLongSharesOfTables(t *testing.T) { sharesOfTables(t, 0, 1, 3) }
