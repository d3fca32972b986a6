package torture

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The time of a process is divided among the stages that it does, however many of them end between two looks.
func TestMeter(t *testing.T) {
	m := meter{state: filepath.Join(t.TempDir(), "state.json"), spent: make([]float64, 4)}
	look := func(now float64, stages string) {
		t.Helper()
		if err := os.WriteFile(m.state, []byte(`{"stages": [`+stages+`]}`), 0o666); err != nil {
			t.Fatal(err)
		}
		m.look(now)
	}
	look(1, ``)
	look(3, `{"name": "a", "cpu_seconds": 2.5}`)
	look(4, `{"name": "a", "cpu_seconds": 2.5}`)
	look(9, `{"name": "a", "cpu_seconds": 2.5}, {"name": "b", "cpu_seconds": 2}, {"name": "c", "cpu_seconds": 3.5}`)
	m.look(8.5) // less than before: the clock of /proc is coarser than that of a process that has ended
	m.look(10)
	if want := []float64{3, 2.5, 3.5, 1}; !slices.Equal(m.spent, want) {
		t.Errorf("%v, want %v", m.spent, want)
	}
	if m.stage != 3 {
		t.Errorf("in stage %d, want 3", m.stage)
	}
}

// What is done twice is what the killed runs take longer than the others, divided by the kills.
func TestTwice(t *testing.T) {
	b := &bench{whole: &whole{Stages: []stageTwice{
		{"long", []float64{9, 11}, []killedStage{{2, 14}, {3, 21}}},
		{"short", []float64{1}, []killedStage{{1, 1.2}}},
		{"never killed", []float64{50}, nil},
	}}}
	var out strings.Builder
	if err := b.printTwice(&out); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"stage cpu s from to kills twice a kill, s %",
		"long 10.00 9.00 11.00 5 3.00 30 ABOVE",
		"short 1.00 1.00 1.00 1 0.20 20",
		"all 6 2.53 29.8",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	b.judgeTwice()
	for promise, want := range map[string]row{promiseTwice: {Trials: 0, Failures: 1}, promiseTogether: {Trials: 6, Failures: 1}} {
		if got := b.table.row(promise); got.Trials != want.Trials || got.Failures != want.Failures {
			t.Errorf("%+v, want %+v", *got, want)
		}
	}
}
