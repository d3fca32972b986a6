package crawls

import (
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

func TestMain(m *testing.M) { runtest.Main(m) }
