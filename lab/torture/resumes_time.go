package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

// mostStages is larger than the number of stages of any run.
const mostStages = 64

// meter divides the processor time of a process among the stages of the run that it builds. What the process does before
// it goes on with a stage, such as verifying the files of earlier stages, belongs to that stage.
type meter struct {
	state string    // path of the state of the run
	spent []float64 // seconds by stage, which it adds to
	stage int       // the stage that is being done
	seen  float64   // seconds of the process up to the last look
}

// look is told the processor time of the process so far.
func (m *meter) look(now float64) {
	done, used := recordedStages(m.state), max(0, now-m.seen)
	m.seen += used
	for i := m.stage + 1; i < len(done); i++ { // several stages have ended since the last look
		took := min(done[i].CPU, used)
		m.spent[i] += took
		used -= took
	}
	m.spent[m.stage] += used
	m.stage = max(m.stage, len(done))
}

// used returns the seconds that all processes have used in the stage.
func (m *meter) used() float64 { return m.spent[m.stage] }

// recordedStage is a stage in a manifest or in the state of a run.
type recordedStage struct {
	Name string
	CPU  float64 `json:"cpu_seconds"`
}

// recordedStages reads the stages of a manifest or of the state of a run. It returns none if the file cannot be read.
func recordedStages(path string) []recordedStage {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var state struct{ Stages []recordedStage }
	if json.Unmarshal(b, &state) != nil {
		return nil
	}
	return state.Stages
}

// stageTwice is how much of the work of a stage was done twice.
type stageTwice struct {
	Stage  string        `json:"stage"`
	Whole  []float64     `json:"cpu_seconds"` // of each run that nothing disturbed
	Killed []killedStage `json:"killed"`      // of each run that was killed in the stage
}

// killedStage is a stage in which processes were killed.
type killedStage struct {
	Kills int     `json:"kills"`
	CPU   float64 `json:"cpu_seconds"` // of all processes together
}

// takes returns the seconds that the stage takes on average if nothing disturbs it.
func (s stageTwice) takes() (mean float64) {
	for _, seconds := range s.Whole {
		mean += seconds / float64(len(s.Whole))
	}
	return mean
}

// kills returns the number of kills, and the seconds that were done twice because of all of them.
func (s stageTwice) kills() (kills int, twice float64) {
	for _, k := range s.Killed {
		kills += k.Kills
		twice += k.CPU - s.takes()
	}
	return kills, twice
}

// mean returns the seconds that were done twice on average because of a kill.
func (s stageTwice) mean() float64 {
	kills, twice := s.kills()
	return twice / float64(max(1, kills))
}

// above reports whether more was done twice than is promised.
func (s stageTwice) above() bool {
	return s.mean() > mostTwice*s.takes() && s.mean() > mostSeconds
}

// together returns the number of all kills, the seconds that were done twice because of them, and the seconds that the
// stages take in which they happened, once for each kill.
func (w *whole) together() (kills int, twice, of float64) {
	for _, s := range w.Stages {
		n, seconds := s.kills()
		kills, twice, of = kills+n, twice+seconds, of+float64(n)*s.takes()
	}
	return kills, twice, of
}

// judgeTwice counts the stages that did too much of their work twice, and the kills if all stages together did.
func (b *bench) judgeTwice() {
	for _, s := range b.whole.Stages {
		if s.above() {
			b.table.add(promiseTwice, 0, 1)
		}
	}
	if kills, twice, of := b.whole.together(); kills > 0 {
		b.table.add(promiseTogether, kills, 0)
		if twice > mostTwice*of {
			b.table.add(promiseTogether, 0, 1)
		}
	}
}

// printTwice prints how much of each stage was done twice, and of all stages together.
func (b *bench) printTwice(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "stage\tcpu s\tfrom\tto\tkills\ttwice a kill, s\t%\t")
	for _, s := range b.whole.Stages {
		n, _ := s.kills()
		if n == 0 {
			continue
		}
		mark := ""
		if s.above() {
			mark = "ABOVE"
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%d\t%.2f\t%.0f\t%s\n", s.Stage, s.takes(), slices.Min(s.Whole), slices.Max(s.Whole), n, s.mean(), 100*s.mean()/s.takes(), mark)
	}
	if kills, twice, of := b.whole.together(); kills > 0 {
		fmt.Fprintf(w, "all\t\t\t\t%d\t%.2f\t%.1f\t\n", kills, twice/float64(kills), 100*twice/of)
	}
	return w.Flush()
}
