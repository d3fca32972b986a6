package latency

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// server is a process that serves a run.
type server struct {
	process *exec.Cmd
	address string
	opened  time.Duration
}

// atAddress finds the address in what the server says when it listens.
var atAddress = regexp.MustCompile(`http://[0-9.:]+`)

// start starts a server and waits until it is ready.
func start(binary, run string) (*server, error) {
	s := &server{process: exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--log", "none", "--timeout", "60s", run)}
	said, err := s.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if s.address = atAddress.FindString(line); s.address == "" {
		return nil, errors.Join(fmt.Errorf("the server says %q", line), err, s.stop())
	}
	for {
		a, err := http.Get(s.address + "/readyz")
		if err == nil {
			a.Body.Close()
			if a.StatusCode == http.StatusOK {
				s.opened = time.Since(began)
				return s, nil
			}
		}
		if time.Since(began) > time.Minute {
			return nil, errors.Join(errors.New("the server is not ready after a minute"), err, s.stop())
		}
		time.Sleep(time.Millisecond)
	}
}

// stop ends the server and waits for its end.
func (s *server) stop() error {
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.process.Wait()
}

// anonymous returns the bytes of memory that belong to the process alone and are no part of a file.
func (s *server) anonymous() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10, err
		}
	}
	return 0, errors.New("the system does not tell the anonymous memory of a process")
}
