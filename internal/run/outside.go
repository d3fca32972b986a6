package run

// CheckOutside refuses a path for files that are no run if it is inside a run, even through symbolic links, because
// nothing may be added to a run. The error wraps [ErrInside].
func CheckOutside(path string) error { return checkOutside(path) }
