package torture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const promiseOutput = "a command whose output does not fit on a full disk ends with an error"

// more lists commands besides the queries that write to standard output.
var more = [][]string{
	{"info", "run"}, {"info", "run", "--check"}, {"doctor", "pages.jsonl"}, {"doctor", "--format", "json", "pages.jsonl"}, {"--help"}, {"related", "--help"}, {"--version"},
	{"related", "run", "https://one.example/p/6", "--format", "csv"}, {"clusters", "run", "--format", "json"}, {"explain", "run", "https://one.example/p/6", "https://one.example/p/7", "--format", "json"},
}

var writing = suite{name: "outputs", promises: []string{promiseOutput}, trials: len(queries) + len(more), prepare: needWorld, try: func(t *trial) error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return errSkipped{"there is no /dev/full"}
	}
	if err != nil {
		return err
	}
	defer full.Close()
	args, in := t.writer()
	p := t.command(args...)
	p.cmd.Dir, p.cmd.Stdin, p.cmd.Stdout = filepath.Dir(t.world.run), strings.NewReader(in), full
	r, err := p.run()
	switch {
	case err != nil:
		return err
	case r.code == exitDone || !strings.Contains(r.said, "space"):
		return fmt.Errorf("into a full disk: %w", r.unexpected("an exit code other than 0, and a message"))
	}
	return nil
}}

// writer returns the command of a trial, and its standard input.
func (t *trial) writer() (args []string, in string) {
	n := t.number % (len(queries) + len(more))
	if n < len(queries) {
		return slices.Clone(queries[n].args), queries[n].in
	}
	return slices.Clone(more[n-len(queries)]), ""
}
