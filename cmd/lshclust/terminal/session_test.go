package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Size is the size of a terminal.
type Size struct{ Rows, Columns int }

// String returns the size as stty and resize print it: rows, then columns.
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Columns) }

// Session is a command that runs on a terminal.
type Session struct {
	cmd      *exec.Cmd
	keyboard *os.File // and screen: the other end of the terminal of the command
	mu       sync.Mutex
	changed  sync.Cond // of mu: the command wrote something, or ended
	screen   *vt.Emulator
	raw      strings.Builder // everything that the command wrote
	ended    bool
	err      error // of the command, when it has ended
}

// Start runs a command with a controlling terminal of the given size. The terminal is the standard output of the
// command, and also its standard input and standard error unless these are set.
func Start(cmd *exec.Cmd, size Size) (*Session, error) {
	ours, theirs, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	if err := pty.Setsize(ours, &pty.Winsize{Rows: uint16(size.Rows), Cols: uint16(size.Columns)}); err != nil {
		return nil, err
	}
	cmd.Stdout = theirs
	if cmd.Stdin == nil {
		cmd.Stdin = theirs
	}
	if cmd.Stderr == nil {
		cmd.Stderr = theirs
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if err := cmd.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	s := &Session{cmd: cmd, keyboard: ours, screen: vt.NewEmulator(size.Columns, size.Rows)}
	s.changed.L = &s.mu
	s.screen.SetScrollbackSize(100_000)
	go s.answer()
	go s.watch()
	return s, nil
}

// answer sends the answers of the emulator to questions of the command, such as the position of the cursor.
func (s *Session) answer() {
	io.Copy(s.keyboard, s.screen) //nolint:errcheck // it ends with the session
}

// watch feeds the emulator until the command has closed its terminal.
func (s *Session) watch() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.keyboard.Read(buf)
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.screen.Write(buf[:n]) //nolint:errcheck // it never fails
		s.changed.Broadcast()
		s.mu.Unlock()
		if err != nil { // EIO after the last process on the terminal has ended
			break
		}
	}
	err := s.cmd.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.err = true, err
	s.changed.Broadcast()
}

// Type sends keys to the command; "\x03" is Ctrl-C.
func (s *Session) Type(keys string) error {
	_, err := io.WriteString(s.keyboard, keys)
	return err
}

// Wait waits for the end of the command and returns its exit code. If the command hangs, the limit of the test run ends
// it: the command loses its terminal.
func (s *Session) Wait() (code int, err error) {
	s.mu.Lock()
	for !s.ended {
		s.changed.Wait()
	}
	s.mu.Unlock()
	var exited *exec.ExitError
	if err = s.err; errors.As(err, &exited) {
		err = nil
	}
	s.screen.Close()
	return s.cmd.ProcessState.ExitCode(), errors.Join(err, s.keyboard.Close())
}

// Until waits until a text is on the screen or above it. It fails if the command ends before.
func (s *Session) Until(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.text(), text) {
		if s.ended {
			return fmt.Errorf("the command ended without %q", text)
		}
		s.changed.Wait()
	}
	return nil
}

// Text returns what has scrolled off the screen and what is on it, without trailing spaces and empty lines.
func (s *Session) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text()
}

func (s *Session) text() string {
	var b strings.Builder
	for y := range s.screen.ScrollbackLen() {
		s.line(&b, func(x int) string {
			if c := s.screen.ScrollbackCellAt(x, y); c != nil {
				return c.Content
			}
			return ""
		})
	}
	for y := range s.screen.Height() {
		s.line(&b, func(x int) string {
			if c := s.screen.CellAt(x, y); c != nil {
				return c.Content
			}
			return ""
		})
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (s *Session) line(b *strings.Builder, cell func(x int) string) {
	var row strings.Builder
	for x := range s.screen.Width() {
		row.WriteString(cell(x))
	}
	b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
}

// Raw returns everything that the command wrote, including the sequences that move the cursor.
func (s *Session) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}
