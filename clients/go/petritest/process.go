package petritest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	// The time that a Petri may take to start.
	startTimeout = 30 * time.Second
	// How many lines of its log are told.
	logLines = 20
)

var (
	address = regexp.MustCompile(`http://(?:127\.0\.0\.1|localhost):\d+`)
	// A call whose key is that of no world, in the log.
	noWorld = regexp.MustCompile(`^\S+ \S+ \S+ 401 .*no world`)
	// Words are separated by white space; what is between quotes belongs to one word. The kits of all languages read it so.
	word   = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
	quoted = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
)

// process is a Petri that this process has started, and its log.
type process struct {
	url     string
	command string

	lock  sync.Mutex
	lines []string
	// strangers are calls with a key of no world.
	strangers []string
	state     string
}

// startCommand is the command that starts a Petri, without its arguments.
func startCommand() ([]string, error) {
	if given := os.Getenv("PETRI_COMMAND"); given != "" {
		return words(given)
	}
	if image := os.Getenv("PETRI_IMAGE"); image != "" {
		for _, engine := range []string{"docker", "podman"} {
			if _, err := exec.LookPath(engine); err == nil {
				// With the network of this machine, the receivers of tests can be reached.
				command := []string{engine, "run", "--rm", "--interactive", "--network", "host"}
				return append(append(command, mountedScenarios()...), image), nil
			}
		}
		return nil, errors.New("PETRI_IMAGE is set, but there is neither docker nor podman")
	}
	for _, name := range []string{"petri-sandbox", "petri"} {
		if _, err := exec.LookPath(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, errors.New("there is no Petri: set PETRI_COMMAND to the command that starts one, PETRI_URL to one that runs, or PETRI_IMAGE")
}

func mountedScenarios() []string {
	folder, err := filepath.Abs(os.Getenv("PETRI_SCENARIOS"))
	if err != nil || os.Getenv("PETRI_SCENARIOS") == "" {
		return nil
	}
	return []string{"--volume", folder + ":/scenarios:ro", "--env", "PETRI_SCENARIOS=/scenarios"}
}

func words(command string) ([]string, error) {
	if strings.TrimSpace(word.ReplaceAllString(command, "")) != "" {
		return nil, fmt.Errorf("PETRI_COMMAND has a quote without its end: %s", command)
	}
	found := word.FindAllString(command, -1)
	for i, each := range found {
		found[i] = quoted.ReplaceAllString(each, "$1$2")
	}
	return found, nil
}

// startProcess starts a Petri that stores nothing and ends with this process, which holds its standard input.
func startProcess(command []string) (*process, error) {
	command = append(command, "start", "--host", "127.0.0.1", "--port", "0", "--data", "memory", "--attached")
	run := exec.Command(command[0], command[1:]...)
	// The settings of another Petri are not for this one, but for the user's scenarios.
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "PETRI_") || strings.HasPrefix(variable, "PETRI_SCENARIOS=") {
			run.Env = append(run.Env, variable)
		}
	}
	if _, err := run.StdinPipe(); err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	run.Stdout, run.Stderr = writer, writer
	started := &process{command: strings.Join(command, " ")}
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be run: %w", started.command, err)
	}
	told := make(chan string)
	go started.read(reader, told)
	go func() {
		run.Wait()
		started.lock.Lock()
		started.state = run.ProcessState.String()
		started.lock.Unlock()
		writer.Close()
	}()
	select {
	case started.url = <-told:
		if started.url == "" {
			return nil, fmt.Errorf("%s did not start: %s", started.command, started.lastLines())
		}
		return started, nil
	case <-time.After(startTimeout):
		run.Process.Kill()
		return nil, fmt.Errorf("%s did not start within %s: %s", started.command, startTimeout, started.lastLines())
	}
}

// read tells the address of Petri, or nothing if its log has none, and reads on, so that Petri is never held up.
func (p *process) read(log io.Reader, told chan<- string) {
	lines := bufio.NewReader(log)
	isTold := false
	for {
		line, err := lines.ReadString('\n')
		p.note(strings.TrimSpace(line))
		if found := address.FindString(line); !isTold && (found != "" || err != nil) {
			told <- found
			isTold = true
		}
		if err != nil {
			return
		}
	}
}

func (p *process) note(line string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if line == "" {
		return
	}
	p.lines = append(p.lines, line)
	if len(p.lines) > logLines {
		p.lines = p.lines[1:]
	}
	if noWorld.MatchString(line) {
		p.strangers = append(p.strangers, line)
	}
}

func (p *process) lastLines() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return strings.Join(p.lines, "\n")
}

// end tells how Petri has ended, with the last lines of its log; it is empty while Petri runs.
func (p *process) end() string {
	p.lock.Lock()
	state := p.state
	p.lock.Unlock()
	if state == "" {
		return ""
	}
	return "Petri has ended (" + state + "). Its last lines:\n" + p.lastLines()
}

// strangersSince are the calls with a key of no world after the first ones; nil for a Petri that this process has not started.
func (p *process) strangersSince(first int) []string {
	if p == nil {
		return nil
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	return append([]string(nil), p.strangers[first:]...)
}
