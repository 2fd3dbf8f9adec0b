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
	// Words are separated by white space; what is between quotes belongs to one word. The kits of all languages read it so.
	word       = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
	quoted     = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
	sourceFile = regexp.MustCompile(`\.[cm]?[jt]s$`)
)

// process is a Petri that this process has started, and its log.
type process struct {
	url     string
	command string

	lock  sync.Mutex
	lines []string
	// ended is closed when Petri has, in this state.
	ended chan struct{}
	state string
}

func givenCommand() string { return strings.TrimSpace(os.Getenv("PETRI_COMMAND")) }

// startCommand is the command that starts a Petri, without its arguments.
func startCommand() ([]string, error) {
	if given := givenCommand(); given != "" {
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

// missingFile tells of a program or script that PETRI_COMMAND names by a relative path: go test runs in the folder of each package.
func missingFile(command []string) string {
	for i, word := range command {
		isFile := i == 0 && strings.ContainsAny(word, `/\`) || sourceFile.MatchString(word) && !strings.HasPrefix(word, "-")
		if _, err := os.Stat(word); !isFile || err == nil || filepath.IsAbs(word) {
			continue
		}
		folder, _ := os.Getwd()
		return fmt.Sprintf("\n%s is a relative path, and there is no such file in %s: write an absolute path into PETRI_COMMAND", word, folder)
	}
	return ""
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
	started := &process{command: strings.Join(command, " "), ended: make(chan struct{})}
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be run: %w", started.command, err)
	}
	told := make(chan string)
	go started.read(reader, told)
	go func() {
		run.Wait()
		started.state = run.ProcessState.String()
		close(started.ended)
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
}

func (p *process) lastLines() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return strings.Join(p.lines, "\n")
}

// end tells how Petri has ended; it is empty while Petri runs, and for one that this process has not started.
func (p *process) end() string {
	if p == nil {
		return ""
	}
	select {
	case <-p.ended:
		return "Petri has ended (" + p.state + ")"
	default:
		return ""
	}
}
