package scratch

import "unsafe"

// Strings keeps strings that are many or long: up to the share of their pool as they are, beyond in files. The zero value keeps them in
// memory.
type Strings struct {
	Room *Pool
	held []byte
	size int64
}

// Keep gives a string that reads like s and is good until Reset.
func (k *Strings) Keep(s string) string {
	if k.size += int64(len(s)); k.size <= k.Room.Share() || s == "" {
		return s
	}
	k.held = append(Grow(k.Room, k.held, len(s)), s...)
	return unsafe.String(&k.held[len(k.held)-len(s)], len(s))
}

// Reset forgets all strings; it must come before the pool is freed.
func (k *Strings) Reset() { k.held, k.size = nil, 0 }
