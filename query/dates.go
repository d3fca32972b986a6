package query

import (
	"slices"
	"time"
)

// dates is a sample of the times of the captures of a crawl, which tells which of two crawls is the older one, also if
// some of the times are wrong. The times must be added in an order that says nothing about them, such as that of hashes:
// the first ones are the sample. The zero value is empty.
type dates struct{ millis []int64 }

// Bounds of dates. A capture with a wrong time in the future must not make a crawl look newer than the next one, so the
// times of the latest captures of the earlier crawl do not count: a tenth of them, and at least one if there are two.
const (
	mostDates  = 100_000
	lateShare  = 0.9
	finalShare = 0.99
)

// add adds the time of a capture, in milliseconds since 1970; 0 is unknown.
func (d *dates) add(millis int64) {
	if millis != 0 && len(d.millis) < mostDates {
		d.millis = append(d.millis, millis)
	}
}

// late returns the time by which nine in ten captures were made, 0 if all times are unknown.
func (d *dates) late() int64 {
	if len(d.millis) == 0 {
		return 0
	}
	slices.Sort(d.millis)
	return d.millis[int(lateShare*float64(len(d.millis)-1))]
}

// last returns the time of the last capture before now, 0 if there is none. Of a large crawl, it leaves out one capture in
// a hundred.
func (d *dates) last(now time.Time) int64 {
	slices.Sort(d.millis)
	n, _ := slices.BinarySearch(d.millis, now.UnixMilli()+1)
	if n == 0 {
		return 0
	}
	return d.millis[n-1-int((1-finalShare)*float64(n))]
}

// reversed reports whether a crawl whose last capture was made at last is older than one that had been made late. A time
// that is unknown or has not come yet says nothing.
func reversed(late, last int64, now time.Time) bool {
	return late != 0 && last != 0 && last < late && late <= now.UnixMilli()
}
