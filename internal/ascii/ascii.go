// Package ascii has functions for ASCII letters and digits, like those of package strings for Unicode.
package ascii

import "net/url"

// IsUpper reports whether c is a letter of A to Z.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Lower returns s with A to Z in lower case.
func Lower(s string) string {
	if !HasUpper(s) {
		return s
	}
	b := []byte(s)
	for i := range b {
		if IsUpper(b[i]) {
			b[i] |= 0x20
		}
	}
	return string(b)
}

// HasUpper reports whether s has a letter of A to Z.
func HasUpper(s string) bool {
	for i := range len(s) {
		if IsUpper(s[i]) {
			return true
		}
	}
	return false
}

// Is reports whether all bytes of s are ASCII.
func Is(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// IsDigits reports whether s is one digit or more, and nothing else.
func IsDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// EqualFold reports whether b is lower, which must be in lower case, if A to Z equal a to z.
func EqualFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		c := b[i]
		if IsUpper(c) {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// Unescaped returns s without its percent escapes, or s itself if one of them is wrong.
func Unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// Unhex returns the value of a hexadecimal digit, 255 for any other byte.
func Unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}
