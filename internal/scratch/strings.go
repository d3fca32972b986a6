package scratch

import "unsafe"

// Strings stores strings: in memory up to the share of Room, and beyond that in files. The zero value stores all
// strings in memory.
type Strings struct {
	Room *Pool
	held []byte
	size int64
}

// Keep returns a string equal to s that is valid until Reset.
func (k *Strings) Keep(s string) string {
	if k.size += int64(len(s)); k.size <= k.Room.Share() || s == "" {
		return s
	}
	k.held = append(Grow(k.Room, k.held, len(s)), s...)
	return unsafe.String(&k.held[len(k.held)-len(s)], len(s))
}

// Reset forgets all strings. Call it before the pool is freed.
func (k *Strings) Reset() { k.held, k.size = nil, 0 }
