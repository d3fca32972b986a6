package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const promiseFull = "on a full disk a run ends with 4 and says what to do; with more room it continues to the same bytes"

var filling = suite{name: "disks", parts: true, promises: []string{promiseFull}, trials: 10, prepare: needWorld, try: func(t *trial) error {
	if err := ownMounts(); err != nil {
		return err
	}
	t.dir = filepath.Join(t.dir, "disk")
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	size := int64(8<<10 + t.IntN(256<<10))
	if err := mountSmall(t.dir, size); err != nil {
		return err
	}
	stops := 0
	for size < 1<<30 {
		r, err := t.run(t.world.cluster(anyhow(t.Rand)...)...)
		if err != nil {
			return err
		}
		if r.code == t.world.code {
			t.table.remark(promiseFull, "stops", stops)
			return t.same()
		}
		stops++
		t.tell("%d KiB, stages done: %s", size>>10, strings.Join(t.stages(), " "))
		if r.code != exitRefused || !strings.Contains(r.said, "no space left") || !strings.Contains(r.said, "same command") {
			return fmt.Errorf("on a full disk of %d KiB: %w", size>>10, r.unexpected("4, and the advice to free space"))
		}
		size += 4<<10 + t.Int64N(size/3)
		if err := growSmall(t.dir, size); err != nil {
			return err
		}
	}
	return fmt.Errorf("a disk of %d MiB is too small", size>>20)
}}
