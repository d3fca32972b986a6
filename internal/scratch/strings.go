package scratch

import "unsafe"

// Strings keeps strings: as they are up to the share of Room, and copied to files beyond that. The zero value keeps all in memory.
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

// Reset forgets all strings. The caller calls it before it frees the pool.
func (k *Strings) Reset() { k.held, k.size = nil, 0 }
