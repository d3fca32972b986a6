package main

import (
	"testing"
	"time"
	"unicode/utf8"
)

// TestBars checks the line of a stage: that it fits, and that its parts go one after another where there is no room.
func TestBars(t *testing.T) {
	for _, c := range []struct {
		bars    bars
		state   string
		columns int
		want    string
	}{
		{bars{stage: "read", unit: "B", done: 1 << 20, total: 2 << 20}, "", 119, "read            1.0 / 2.0 MiB       [====================--------------------]  50 %  0.5 MiB/s 2s"},
		{bars{stage: "pair, selection", unit: "bags", done: 1382, total: 1382}, "done", 59, "pair, selection 1382 / 1382 bags    [======] 100 %  done"},
		{bars{stage: "pair", unit: "keys", done: 3, total: 82}, "stopped", 40, "pair            3 / 82 keys           4 %  stopped"},
		{bars{stage: "read", unit: "B", done: 3 << 20}, "", 79, "read            3.0 MiB"},
		{bars{stage: "sign", unit: "bags"}, "", 79, "sign            0 bags"},
	} {
		if got := c.bars.line(c.state, 2*time.Second, c.columns); got != c.want || c.columns > 50 && utf8.RuneCountInString(got) > c.columns {
			t.Errorf("%+v:\n%q, want\n%q", c.bars, got, c.want)
		}
	}
}
