package pipeline_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// More worlds than in TestWorlds. LSHCLUST_WORLDS sets their number.
func TestLongWorlds(t *testing.T) {
	worlds := 4
	if n, err := strconv.Atoi(os.Getenv("LSHCLUST_WORLDS")); err == nil {
		worlds = n
	}
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { worldOf(t, seed, 2, 3, 8, 16) })
	}
}

// More workers read the same URLs.
func TestLongRepeatedURLs(t *testing.T) { repeatedURLs(t, 16, 8, 16) }
