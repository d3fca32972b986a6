package terminal

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the golden screens and the outputs in the documents anew")

// root is the top of the repository.
const root = "../../.."

// program is lshclust, built from the checkout.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "lshclust-terminal")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "lshclust")
	build := exec.Command("go", "build", "-o", program, "./cmd/lshclust")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n%v\n", out, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var (
	large = Size{40, 120}
	usual = Size{24, 80}
	small = Size{24, 60}
)

// environment returns the environment of a person who has set nothing, with additions.
func environment(home string, add ...string) []string {
	env := []string{"PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "TERM=xterm-256color"}
	return append(env, add...)
}

// lshclust returns the command, to be run in a folder.
func lshclust(dir string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, environment(dir)
	return c
}

// run runs a command to its end and checks its exit code.
func run(t *testing.T, cmd *exec.Cmd, size Size, code int) *Session {
	t.Helper()
	s, err := Start(cmd, size)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, code)
	return s
}

func wait(t *testing.T, s *Session, code int) {
	t.Helper()
	got, err := s.Wait()
	if err != nil || got != code {
		t.Fatalf("exit code %d, want %d (%v); the screen:\n%s", got, code, err, s.Text())
	}
}

// demoRun returns a folder with the run of lshclust demo, which all tests share.
func demoRun(t *testing.T) string {
	t.Helper()
	dir, err := sharedRun()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var sharedRun = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(program), "shared")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	if out, err := lshclust(dir, "demo", "-q").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

// golden compares a screen with a file in testdata, or writes the file with -update.
func golden(t *testing.T, name, screen string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(screen), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update makes it", err)
	}
	if screen != string(want) {
		t.Errorf("%s: the screen is\n%s\nwant\n%s", path, screen, want)
	}
}

// fits checks that no line of a screen was wider than it, which the emulator would have broken.
func fits(t *testing.T, raw string, size Size) {
	t.Helper()
	for _, l := range strings.Split(moves.ReplaceAllString(raw, ""), "\n") {
		if n := len([]rune(strings.TrimRight(l, "\r"))); n > size.Columns && len(strings.Fields(l)) > 1 && !strings.Contains(l, "://") && !strings.HasPrefix(l, "  lshclust ") {
			t.Errorf("a line of %d columns on a terminal of %d: %q", n, size.Columns, l)
		}
	}
}

// moves matches the sequences that move the cursor, erase or colour.
var moves = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// TestDemo checks that the first command of the README ends with full bars and the expected screen.
func TestDemo(t *testing.T) {
	for _, size := range []Size{large, usual, small} {
		t.Run(size.String(), func(t *testing.T) {
			t.Parallel()
			s := run(t, lshclust(t.TempDir(), "demo"), size, 0)
			golden(t, "demo-"+size.String(), s.Text())
			for l := range strings.Lines(s.Text()) {
				if strings.Contains(l, " [=") && !strings.Contains(l, "] 100 %") {
					t.Errorf("a bar that is not full: %q", l)
				}
			}
		})
	}
}

// TestDumbTerminal checks that a terminal that cannot move its cursor gets lines instead of bars.
func TestDumbTerminal(t *testing.T) {
	c := lshclust(t.TempDir(), "demo")
	c.Env = environment(c.Dir, "TERM=dumb")
	s := run(t, c, large, 0)
	if strings.Contains(s.Raw(), "\x1b") {
		t.Errorf("sequences on a dumb terminal: %q", s.Raw())
	}
	for _, want := range []string{"\nread: ", "\npublish: ", "Try next:"} {
		if !strings.Contains("\n"+s.Text(), want) {
			t.Errorf("no %q in\n%s", want, s.Text())
		}
	}
}

// TestScreens shows answers of a run on terminals of three sizes.
func TestScreens(t *testing.T) {
	const page = "postgresql.org/docs/15/"
	dir := demoRun(t)
	results := "infoschema-role-routine-grants.html gin.html infoschema-routine-privileges.html no-such-page.html mvcc.html"
	results = "https://" + page + strings.ReplaceAll(results, " ", "\nhttps://"+page) + "\nwww.postgresql.org/docs/15/gin.html\n"
	if err := os.WriteFile(filepath.Join(dir, "results.txt"), []byte(results), 0o666); err != nil {
		t.Fatal(err)
	}
	screens(t, dir, map[string]int{"unknown": 1, "no-argument": 2}, map[string][]string{
		"related":     {"related", "lshclust-demo", page + "mvcc.html", page + "gin.html"},
		"unknown":     {"related", "lshclust-demo", page + "mvc.html", page + "gin.html", "--limit", "3"},
		"explain":     {"explain", "lshclust-demo", page + "gin.html", page + "gist.html"},
		"duplicates":  {"duplicates", "lshclust-demo", page + "infoschema-routine-privileges.html"},
		"who":         {"query", "lshclust-demo", page + "infoschema-routine-privileges.html", "--by", "host", "--pages", "3"},
		"fold":        {"fold", "lshclust-demo", "results.txt"},
		"clusters":    {"clusters", "lshclust-demo", "--limit", "5"},
		"diff":        {"explain", "--texts", "lshclust-demo", page + "infoschema-routine-privileges.html", page + "infoschema-table-privileges.html"},
		"compare":     {"compare", "lshclust-demo", "--limit", "2"},
		"eval":        {"eval", "lshclust-demo", "--gold", "lshclust-demo-gold.tsv", "-n", "2", "--limit", "3"},
		"no-argument": {"explain", "lshclust-demo"},
		"help":        {"related", "--help"},
	})
}

// screens compares what commands show on terminals of three sizes with files in testdata. codes are the exit codes other than 0.
func screens(t *testing.T, dir string, codes map[string]int, commands map[string][]string) {
	for name, args := range commands {
		for _, size := range []Size{large, usual, small} {
			t.Run(name+"-"+size.String(), func(t *testing.T) {
				t.Parallel()
				s := run(t, lshclust(dir, args...), size, codes[name])
				golden(t, name+"-"+size.String(), s.Text())
				fits(t, s.Raw(), size)
			})
		}
	}
}

// TestEnvironment checks that COLUMNS sets the width.
func TestEnvironment(t *testing.T) {
	dir := demoRun(t)
	c := lshclust(dir, "related", "lshclust-demo", "postgresql.org/docs/15/mvcc.html")
	c.Env = environment(dir, "COLUMNS=70")
	narrow := run(t, c, large, 0)
	c = lshclust(dir, "related", "lshclust-demo", "postgresql.org/docs/15/mvcc.html")
	if want := run(t, c, Size{40, 70}, 0); narrow.Raw() != want.Raw() {
		t.Errorf("COLUMNS=70:\n%s\na terminal of 70 columns:\n%s", narrow.Raw(), want.Raw())
	}
}

// TestPipe checks that in a pipe, nothing is cut or drawn.
func TestPipe(t *testing.T) {
	dir := demoRun(t)
	for _, args := range [][]string{
		{"related", "lshclust-demo", "postgresql.org/docs/15/mvcc.html"},
		{"duplicates", "lshclust-demo", "postgresql.org/docs/15/infoschema-routine-privileges.html"},
		{"explain", "lshclust-demo", "postgresql.org/docs/15/gin.html", "postgresql.org/docs/15/gist.html"},
		{"clusters", "lshclust-demo", "--limit", "100"},
		{"clusters", "lshclust-demo", "--view", "syntactic"},
	} {
		c := lshclust(dir, args...)
		c.Env = environment(dir, "COLUMNS=40")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s%v", args, out, err)
		}
		if s := string(out); strings.Contains(s, "\x1b") || strings.Contains(s, "…") {
			t.Errorf("%v: something is cut or drawn:\n%s", args, s)
		}
	}
}

// TestRowsDiffer checks that two rows of a list never look the same, even on a narrow terminal.
func TestRowsDiffer(t *testing.T) {
	dir := demoRun(t)
	for columns := 40; columns <= 130; columns += 9 {
		s := run(t, lshclust(dir, "related", "lshclust-demo", "postgresql.org/docs/15/mvcc.html", "--limit", "50"), Size{50, columns}, 0)
		var seen []string
		for l := range strings.Lines(s.Raw()) {
			for _, f := range strings.Fields(l) {
				if !strings.HasPrefix(f, "https://") || strings.HasPrefix(l, "https://") { // the page of the question
					continue
				}
				if slices.Contains(seen, f) {
					t.Errorf("%d columns: two rows show %s", columns, f)
				}
				seen = append(seen, f)
			}
		}
		if len(seen) < 10 {
			t.Errorf("%d columns: %d rows\n%s", columns, len(seen), s.Text())
		}
	}
}

// slowly are settings with which a run of the sample takes some seconds after it has read its input.
var slowly = []string{"--workers", "1", "--set", "signatures=128", "--set", "key_size=2", "--set", "keys=7000", "--set", "max_bucket=400", "--set", "floor=0.02"}

// TestInterruptAndResume checks that Ctrl-C stops a run and saves its state, and that the same command completes the
// run.
func TestInterruptAndResume(t *testing.T) {
	dir := demoRun(t)
	cluster := append([]string{"cluster", "-o", "slow", "lshclust-demo-pages.jsonl.zst"}, slowly...)
	var s *Session
	for code := 0; code == 0; { // again, if it was done before Ctrl-C arrived
		if err := os.RemoveAll(filepath.Join(dir, "slow")); err != nil {
			t.Fatal(err)
		}
		var err error
		if s, err = Start(lshclust(dir, cluster...), usual); err != nil {
			t.Fatal(err)
		}
		if err := s.Until("pair "); err != nil {
			t.Fatalf("%v:\n%s", err, s.Text())
		}
		_ = s.Type("\x03") // it may have ended
		if code, err = s.Wait(); err != nil {
			t.Fatalf("%v:\n%s", err, s.Text())
		}
	}
	for _, want := range []string{"read .*100 %.*done\n", "pair .*stopped\n", `\^?C?lshclust: interrupted; finished stages are saved, and the same command continues\n$`} {
		if !regexp.MustCompile(want).MatchString(s.Text()) {
			t.Errorf("no %q on the screen:\n%s", want, s.Text())
		}
	}
	for l := range strings.Lines(s.Text()) { // what the terminal writes for Ctrl-C damages no bar
		if strings.Contains(l, " [") && !regexp.MustCompile(`^(read|group|weigh|shingle|sign|invert|pair) +[0-9.]+ .*\] +[0-9]+ %.*(done|stopped)\n$`).MatchString(l) {
			t.Errorf("a spoiled bar: %q", l)
		}
	}
	// The progress of the stage depends on the time of the interrupt.
	resumed := regexp.MustCompile(`(?m)^pair, step [a-z-]+: resumed at [0-9]+ %\n`)
	golden(t, "resumed", resumed.ReplaceAllString(run(t, lshclust(dir, cluster...), large, 0).Text(), ""))
}

// TestInterruptedReaders checks that one Ctrl-C ends a command that waits for standard input or works on it, with a
// message, and that a waiting command says that it waits.
func TestInterruptedReaders(t *testing.T) {
	dir := demoRun(t)
	for name, args := range map[string][]string{
		"query":   {"query", "lshclust-demo", "-"},
		"related": {"related", "lshclust-demo", "--urls", "-"},
		"doctor":  {"doctor", "-"},
		"cluster": {"cluster", "-o", "typed", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Start(lshclust(dir, args...), usual)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Until("reading standard input; Ctrl-D ends it"); err != nil {
				t.Fatalf("%v:\n%s", err, s.Text())
			}
			if err := s.Type("\x03"); err != nil {
				t.Fatal(err)
			}
			wait(t, s, 130)
			if !strings.Contains(s.Text(), "lshclust: interrupted") {
				t.Errorf("the screen:\n%s", s.Text())
			}
		})
	}
}

// TestFailures checks that a failed run says why below its bars, and ends.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("damaged.jsonl", `{"url":"https://a.example/","html":"<a href='https://m.example/apple'>sweet apple</a>"}`+"\nnot json\n")
	write("nothing.jsonl", "")
	for name, x := range map[string]struct {
		code int
		args []string
	}{
		"damaged": {3, []string{"cluster", "-o", "damaged", "damaged.jsonl"}},
		"nothing": {1, []string{"cluster", "-o", "nothing", "nothing.jsonl"}},
		"missing": {2, []string{"cluster", "-o", "missing", "missing.jsonl"}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "failure-"+name, run(t, lshclust(dir, x.args...), usual, x.code).Text())
		})
	}
}
