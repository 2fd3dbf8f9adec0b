package petritest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
)

// The time that a Petri may take to start.
const startTimeout = 30 * time.Second

// server is a running Petri.
type server struct {
	url     string
	control control.Operations
	// receiverHost is the host by which Petri reaches receivers in this process.
	receiverHost string
}

// find returns the Petri of this process.
func find() (*server, error) {
	once.Do(func() { found, foundErr = findOrStart() })
	return found, foundErr
}

var (
	once     sync.Once
	found    *server
	foundErr error
)

func findOrStart() (*server, error) {
	if url := os.Getenv("PETRI_URL"); url != "" {
		return connect(url, environmentToken())
	}
	if os.Getenv("PETRI_COMMAND") == "" && os.Getenv("PETRI_IMAGE") == "" {
		if running := runningAbove("."); running != nil {
			return running, nil
		}
	}
	command, err := startCommand()
	if err != nil {
		return nil, err
	}
	url, err := startProcess(command)
	if err != nil {
		return nil, err
	}
	return connect(url, environmentToken())
}

func environmentToken() string { return os.Getenv("PETRI_CONTROL_TOKEN") }

func connect(url, token string) (*server, error) {
	headers := map[string]string{}
	if token != "" {
		headers["authorization"] = "Bearer " + token
	}
	url = strings.TrimRight(url, "/")
	connected := &server{url: url, control: control.Operations{Caller: &caller{url, headers}}}
	health, err := connected.control.Health()
	if err != nil {
		return nil, err
	}
	if health.ContractVersion == "" {
		return nil, fmt.Errorf("%s is not Petri", url)
	}
	connected.receiverHost = os.Getenv("RECEIVER_HOST")
	if connected.receiverHost == "" {
		connected.receiverHost = receiverHostOf(health.Caller)
	}
	if isOlder(health.Version, Version) {
		return nil, fmt.Errorf("Petri %s at %s is older than this client, %s: update Petri, or use version %s of the client",
			health.Version, url, Version, health.Version)
	}
	return connected, nil
}

const loopback = "127.0.0.1"

// receiverHostOf is the host of receivers for a Petri that sees calls come from an address: that address, unless both are on this machine.
func receiverHostOf(caller string) string {
	if address := net.ParseIP(caller); address == nil || address.IsLoopback() {
		return loopback
	}
	return caller
}

// isOlder compares versions such as 0.10.2.
func isOlder(version, other string) bool {
	one, two := strings.Split(version, "."), strings.Split(other, ".")
	for i := 0; i < len(one) && i < len(two); i++ {
		a, _ := strconv.Atoi(one[i])
		b, _ := strconv.Atoi(two[i])
		if a != b {
			return a < b
		}
	}
	return false
}

// runningAbove finds the Petri whose data folder is .petri in this folder or one above.
func runningAbove(folder string) *server {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil
	}
	for {
		var running struct{ URL string }
		text, err := os.ReadFile(filepath.Join(folder, ".petri", "running.json"))
		if err == nil && json.Unmarshal(text, &running) == nil {
			// A file of a Petri that was killed leads nowhere.
			if connected, err := connect(running.URL, environmentToken()); err == nil {
				return connected
			}
		}
		if filepath.Dir(folder) == folder {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}

// startCommand is the command that starts a Petri, without its arguments.
func startCommand() ([]string, error) {
	if given := os.Getenv("PETRI_COMMAND"); given != "" {
		return strings.Fields(given), nil
	}
	if image := os.Getenv("PETRI_IMAGE"); image != "" {
		for _, engine := range []string{"docker", "podman"} {
			if _, err := exec.LookPath(engine); err == nil {
				// With the network of this machine, the receivers of tests can be reached.
				return []string{engine, "run", "--rm", "--interactive", "--network", "host", image}, nil
			}
		}
		return nil, errors.New("PETRI_IMAGE is set, but there is neither docker nor podman")
	}
	for _, name := range []string{"petri-sandbox", "petri"} {
		if _, err := exec.LookPath(name); err == nil {
			return []string{name}, nil
		}
	}
	if _, err := exec.LookPath("npx"); err == nil {
		return []string{"npx", "--yes", "petri-sandbox"}, nil
	}
	return nil, errors.New("there is no Petri: set PETRI_URL, PETRI_COMMAND or PETRI_IMAGE, or install petri-sandbox or Node")
}

var address = regexp.MustCompile(`http://(?:127\.0\.0\.1|localhost):\d+`)

// startProcess starts a Petri that stores nothing and ends with this process, which holds its standard input.
func startProcess(command []string) (string, error) {
	command = append(command, "start", "--host", "127.0.0.1", "--port", "0", "--data", "memory", "--attached")
	process := exec.Command(command[0], command[1:]...)
	// The settings of another Petri are not for this one.
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "PETRI_") {
			process.Env = append(process.Env, variable)
		}
	}
	if _, err := process.StdinPipe(); err != nil {
		return "", err
	}
	reader, writer := io.Pipe()
	process.Stdout, process.Stderr = writer, writer
	if err := process.Start(); err != nil {
		return "", fmt.Errorf("%s cannot be run: %w", strings.Join(command, " "), err)
	}
	go func() {
		process.Wait()
		writer.Close()
	}()
	told := make(chan string, 1)
	go watch(reader, told)
	select {
	case text := <-told:
		if address.MatchString(text) {
			return address.FindString(text), nil
		}
		return "", fmt.Errorf("%s did not start: %s", strings.Join(command, " "), strings.TrimSpace(text))
	case <-time.After(startTimeout):
		process.Process.Kill()
		return "", fmt.Errorf("%s did not start within %s", strings.Join(command, " "), startTimeout)
	}
}

// watch tells the line with the address, or all lines if there is none, and goes on reading, so that Petri is never held up.
func watch(log io.Reader, told chan<- string) {
	lines := bufio.NewScanner(log)
	var before []string
	for lines.Scan() {
		if address.MatchString(lines.Text()) {
			told <- lines.Text()
			io.Copy(io.Discard, log)
			return
		}
		before = append(before, lines.Text())
	}
	told <- strings.Join(before, "\n")
}
