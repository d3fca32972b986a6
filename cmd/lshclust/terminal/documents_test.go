package terminal

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the paths of the documents whose commands people follow.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "lab/*.md", "python/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		names = append(names, found...)
	}
	return names
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// freshClone returns a folder with the files of a clone of the repository, and an empty home folder.
func freshClone(t *testing.T) (dir string, env []string) {
	t.Helper()
	home := t.TempDir()
	dir = filepath.Join(home, "lshclust")
	list := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
	}
	env = environment(home, "GOBIN="+filepath.Join(home, "go", "bin"))
	env[0] = "PATH=" + filepath.Join(home, "go", "bin") + ":" + os.Getenv("PATH")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS", "CGO_ENABLED"} { // no need to download and build again
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return dir, env
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	st, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) { // deleted and not yet committed
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(from)
	err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o777))
	if err := errors.Join(err, os.WriteFile(to, content, st.Mode().Perm())); err != nil {
		t.Fatal(err)
	}
}

// TestCommands runs every command of the console blocks of the README and the examples in a fresh clone, one
// after the other, and compares their outputs with those in the documents: standard output on a terminal of 120
// columns, or the whole screen for a block with screen=ROWSxCOLUMNS. A block with serve=RUN has a server of this run.
// With -update it writes the outputs to the documents.
func TestCommands(t *testing.T) {
	for _, name := range []string{"README.md", "docs/examples.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir, env := freshClone(t)
			path := filepath.Join(root, name)
			document, commands, at := read(t, path), 0, 0
			for _, block := range Blocks(document) {
				if !block.Is("console") {
					continue
				}
				address := ""
				if run, ok := block.Serve(); ok {
					address = serve(t, dir, env, run)
				}
				for _, c := range block.Commands() {
					commands++
					output := shown(t, dir, env, asked(c.Text, address), block)
					if Matches(c.Output, output) {
						continue
					}
					if !*update || slices.Contains(c.Output, Anything) {
						t.Errorf("%s:%d: $ %s\nprints\n%s\nand the document shows\n%s", name, block.Line, c.Text, strings.Join(output, "\n"), strings.Join(c.Output, "\n"))
						continue
					}
					old := shownAs(c.Text, c.Output)
					at += strings.Index(document[at:], old) // after what was written before
					document = document[:at] + shownAs(c.Text, output) + document[at+len(old):]
					at += len("$ ")
				}
			}
			if commands < 5 {
				t.Errorf("%s: %d commands in console blocks; is the test looking at what it should?", name, commands)
			}
			if *update {
				if err := os.WriteFile(path, []byte(document), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// asked returns a command that asks the server at another address than a document says, unless that is empty.
func asked(command, address string) string {
	if address == "" {
		return command
	}
	return strings.ReplaceAll(command, "127.0.0.1:8080", address)
}

// listening matches what serve prints when it is ready.
var listening = regexp.MustCompile(`http://(127\.0\.0\.1:[0-9]+)`)

// serve starts a server of a run for the rest of the test and returns its address.
func serve(t *testing.T, dir string, env []string, run string) string {
	t.Helper()
	c := exec.Command(program, "serve", run, "--listen", "127.0.0.1:0")
	c.Dir, c.Env = dir, env
	out, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, out)
			return m[1]
		}
	}
	t.Fatalf("serve %s: it did not print its address", run)
	return ""
}

// shownAs returns a command with its output in the form in which a document shows them.
func shownAs(command string, output []string) string {
	return strings.Join(append([]string{"$ " + command}, output...), "\n") + "\n"
}

// shown runs a command of a document as a person would type it, and returns the output that the document should show.
func shown(t *testing.T, dir string, env []string, command string, block Block) []string {
	t.Helper()
	c := exec.Command("bash", "-c", command)
	c.Dir, c.Env = dir, env
	size, whole := block.Screen()
	if !whole {
		size = large
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		c.Stdin, c.Stderr = null, null
	}
	s, err := Start(c, size)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, s.Text())
	}
	text := s.Text()
	if !whole { // whole lines, which the terminal of the reader folds
		text = strings.ReplaceAll(s.Raw(), "\r\n", "\n")
	}
	return trimEmpty(strings.Split(text, "\n"))
}

// isCommand matches commands in the text of a document: lshclust with arguments, and go test.
var isCommand = regexp.MustCompile(`\b(?:lshclust|go test|make|go run) `)

// spans returns the text between back quotes in a document, outside of blocks.
func spans(document string) (out []string) {
	var text []string
	for i, part := range strings.Split("\n"+document, "\n```") {
		if i%2 == 0 {
			text = append(text, strings.Fields(part)...)
		}
	}
	for i, part := range strings.Split(strings.Join(text, " "), "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// TestCommandsExist checks that every command that a document names exists: for lshclust the verb and its flags, for go
// test the test functions. So it also checks commands that would measure for hours on data that is not in the
// repository.
func TestCommandsExist(t *testing.T) {
	checked := 0
	for _, path := range documents(t) {
		text := read(t, path)
		var commands []string
		for _, b := range Blocks(text) {
			if b.Is("console") || b.Is("sh") || len(b.Info) == 0 {
				commands = append(commands, b.Lines...)
			}
		}
		for _, s := range spans(text) {
			if isCommand.MatchString(s) {
				commands = append(commands, s)
			}
		}
		for _, line := range commands {
			dir := "."
			for _, c := range strings.FieldsFunc(strings.TrimPrefix(line, "$ "), func(r rune) bool { return r == '|' || r == ';' || r == '&' || r == '>' }) {
				if to, ok := strings.CutPrefix(strings.TrimSpace(c), "cd "); ok {
					dir = to
				} else if checkCommand(t, path, dir, c) {
					checked++
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d commands were found; is the test looking at what it should?", checked)
	}
}

// checkCommand checks a command to run in a folder of the repository. It returns false for an unknown kind of
// command.
func checkCommand(t *testing.T, document, dir, command string) bool {
	t.Helper()
	command, _, _ = strings.Cut(command, " #")
	words := strings.Fields(command)
	for len(words) > 0 && (strings.Contains(words[0], "=") || slices.Contains([]string{"chrt", "-r", "1", "time"}, words[0])) {
		words = words[1:]
	}
	switch {
	case len(words) > 1 && words[0] == "lshclust":
		checkFlags(t, document, command, words[1:])
	case len(words) > 3 && words[0] == "go" && words[1] == "run" && words[2] == "./cmd/lshclust":
		checkFlags(t, document, command, words[3:])
	case len(words) > 2 && words[0] == "go" && words[1] == "test":
		checkTests(t, document, dir, command, words[2:])
	case len(words) > 3 && words[0] == "make" && words[1] == "-f" && words[3] != "TARGET":
		if !regexp.MustCompile(`(?m)^\.PHONY:.* ` + words[3] + `\b`).MatchString(read(t, filepath.Join(root, words[2]))) {
			t.Errorf("%s: `%s`: no target %s", document, command, words[3])
		}
	default:
		return false
	}
	return true
}

// checkFlags lets lshclust parse a command without running it: it reaches --help at the end only if the flags are
// valid.
func checkFlags(t *testing.T, document, command string, args []string) {
	t.Helper()
	var plain []string
	for _, a := range args {
		a = strings.Trim(a, `"'`)
		if strings.ContainsAny(a, "[]…") { // optional, or more of the same
			continue
		}
		plain = append(plain, a)
	}
	if slices.Equal(plain, []string{"COMMAND", "--help"}) {
		return
	}
	c := exec.Command(program, append(plain, "--help")...)
	c.Env = environment(t.TempDir())
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s: `%s`: %s", document, strings.TrimSpace(command), out)
	}
}

// checkTests checks that the patterns of a go test command match functions.
func checkTests(t *testing.T, document, dir, command string, args []string) {
	t.Helper()
	pattern, packages := "", []string{}
	for i := 0; i < len(args); i++ {
		switch a := strings.Trim(args[i], `"'`); {
		case (a == "-run" || a == "-bench") && i+1 < len(args):
			i++
			if p := strings.Trim(args[i], `"'`); a == "-bench" || p != "xx" && p != "^$" && p != "^$$" {
				pattern = p
			}
		case a == "./...":
			return
		case strings.HasPrefix(a, "./") || a == ".":
			packages = append(packages, a)
		}
	}
	if pattern == "" || len(packages) == 0 {
		return
	}
	pattern, _, _ = strings.Cut(pattern, "/")
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		t.Errorf("%s: `%s`: %v", document, command, err)
		return
	}
	for _, p := range packages {
		files, _ := filepath.Glob(filepath.Join(root, dir, p, "*_test.go"))
		for _, file := range files {
			for _, m := range isTest.FindAllStringSubmatch(read(t, file), -1) {
				if wanted.MatchString(m[1]) {
					return
				}
			}
		}
	}
	t.Errorf("%s: `%s`: no function of %v matches %q", document, strings.TrimSpace(command), packages, pattern)
}

// isTest matches the head of a function that go test runs.
var isTest = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)

// TestMatches checks what a document may leave out and what it may not.
func TestMatches(t *testing.T) {
	for _, x := range []struct {
		shown, output string
		want          bool
	}{
		{"a b", "a b", true}, {"a b", "a c", false}, {"a", "a b", false}, {"", "", true},
		{"...", "", true}, {"... b", "a a b", true}, {"a ... c", "a b b c", true}, {"a ... c", "a b b", false},
	} {
		if got := Matches(strings.Fields(x.shown), strings.Fields(x.output)); got != x.want {
			t.Errorf("%q for %q: %v, want %v", x.shown, x.output, got, x.want)
		}
	}
}
