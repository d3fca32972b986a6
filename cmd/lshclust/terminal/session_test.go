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
	"time"

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
	ended    chan error

	mu     sync.Mutex
	screen *vt.Emulator
	raw    strings.Builder // everything that the command wrote
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
	s := &Session{cmd: cmd, keyboard: ours, ended: make(chan error, 1), screen: vt.NewEmulator(size.Columns, size.Rows)}
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
		s.mu.Unlock()
		if err != nil { // EIO after the last process on the terminal has ended
			break
		}
	}
	s.ended <- s.cmd.Wait()
}

// Type sends keys to the command; "\x03" is Ctrl-C.
func (s *Session) Type(keys string) error {
	_, err := io.WriteString(s.keyboard, keys)
	return err
}

// ErrHangs is the error for a command that does not end in time.
var ErrHangs = errors.New("the command hangs")

// Wait waits for the end of the command and returns its exit code. After the time limit it kills the command.
func (s *Session) Wait(limit time.Duration) (code int, err error) {
	select {
	case err = <-s.ended:
	case <-time.After(limit):
		// The command leads a session of its own: all of its processes go, and so does their terminal.
		err := errors.Join(syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL), s.keyboard.Close())
		<-s.ended
		return -1, errors.Join(ErrHangs, err, s.screen.Close())
	}
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		err = nil
	}
	s.screen.Close()
	return s.cmd.ProcessState.ExitCode(), errors.Join(err, s.keyboard.Close())
}

// Until waits until a text is on the screen or above it.
func (s *Session) Until(text string, limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(s.Text(), text) {
			return nil
		}
	}
	return fmt.Errorf("%q does not come up", text)
}

// Text returns what has scrolled off the screen and what is on it, without trailing spaces and empty lines.
func (s *Session) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
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
