package terminal

import (
	"fmt"
	"strings"
)

// Block is a fenced block of code in a Markdown document.
type Block struct {
	Line  int      // of the opening fence, from 1
	Info  []string // what follows the opening fence: a language, then settings
	Lines []string
}

// Blocks returns the fenced blocks of a document.
func Blocks(document string) []Block {
	var out []Block
	open := false
	for i, l := range strings.Split(document, "\n") {
		switch {
		case strings.HasPrefix(l, "```") && !open:
			out, open = append(out, Block{Line: i + 1, Info: strings.Fields(l[3:])}), true
		case strings.HasPrefix(l, "```"):
			open = false
		case open:
			last := &out[len(out)-1]
			last.Lines = append(last.Lines, l)
		}
	}
	return out
}

// Is reports whether a block is in a language.
func (b Block) Is(language string) bool { return len(b.Info) > 0 && b.Info[0] == language }

// Serve returns the run that a block asks for with serve=RUN: its commands ask a server of this run at 127.0.0.1:8080.
func (b Block) Serve() (run string, ok bool) {
	for _, setting := range b.Info {
		if run, ok = strings.CutPrefix(setting, "serve="); ok {
			return run, true
		}
	}
	return "", false
}

// Screen returns the size of terminal that a block asks for with screen=ROWSxCOLUMNS. The block then shows everything
// on the screen, including standard error.
func (b Block) Screen() (size Size, ok bool) {
	for _, setting := range b.Info {
		if n, _ := fmt.Sscanf(setting, "screen=%dx%d", &size.Rows, &size.Columns); n == 2 {
			return size, true
		}
	}
	return Size{}, false
}

// Command is a command in a console block with the output that the document shows.
type Command struct {
	Text   string
	Output []string
}

// Commands returns the lines of a block that begin with "$ ", each with the lines up to the next one.
func (b Block) Commands() []Command {
	var out []Command
	for _, l := range b.Lines {
		if text, ok := strings.CutPrefix(l, "$ "); ok {
			out = append(out, Command{Text: text})
		} else if len(out) > 0 {
			last := &out[len(out)-1]
			last.Output = append(last.Output, l)
		}
	}
	for i := range out {
		out[i].Output = trimEmpty(out[i].Output)
	}
	return out
}

func trimEmpty(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Anything is a line of a shown output that matches any number of lines.
const Anything = "..."

// Matches reports whether an output is the one that a document shows.
func Matches(shown, output []string) bool {
	if len(shown) == 0 {
		return len(output) == 0
	}
	if shown[0] != Anything {
		return len(output) > 0 && shown[0] == output[0] && Matches(shown[1:], output[1:])
	}
	for skip := range len(output) + 1 {
		if Matches(shown[1:], output[skip:]) {
			return true
		}
	}
	return false
}
