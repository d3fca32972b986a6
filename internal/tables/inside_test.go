package tables

import (
	"errors"
	"fmt"
	"slices"
)

// errOutside is the error of uses if a table returned a number that cannot be used as an index.
var errOutside = errors.New("a number out of range was handed out")

// inside returns errOutside unless all ids are less than n.
func inside(n int, ids ...uint32) error {
	if i := slices.IndexFunc(ids, func(id uint32) bool { return int64(id) >= int64(n) }); i >= 0 {
		return fmt.Errorf("%w: %d of %d", errOutside, ids[i], n)
	}
	return nil
}
