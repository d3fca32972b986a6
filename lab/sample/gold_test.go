package sample

import (
	"bytes"
	"testing"

	"github.com/lshclust/lshclust/internal/sample"
)

// TestGold checks that the embedded gold is that of the embedded pages.
func TestGold(t *testing.T) {
	got, err := Gold()
	if err != nil || !bytes.Equal(got, sample.Gold()) {
		t.Errorf("make.sh makes another gold, %v", err)
	}
}
