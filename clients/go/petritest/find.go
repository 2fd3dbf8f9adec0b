package petritest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/example/petri-sandbox/clients/go/control"
)

// server is a running Petri.
type server struct {
	url     string
	control control.Operations
	// process is the Petri that this process has started; nil for others.
	process *process
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
	token := os.Getenv("PETRI_CONTROL_TOKEN")
	if url := os.Getenv("PETRI_URL"); url != "" {
		return connect(url, token, "PETRI_URL", nil)
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
	process, err := startProcess(command)
	if err != nil {
		return nil, err
	}
	return connect(process.url, token, "its log", process)
}

// connect connects to the Petri at a URL that somebody has given.
func connect(url, token, givenBy string, process *process) (*server, error) {
	headers := map[string]string{}
	if token != "" {
		headers["authorization"] = "Bearer " + token
	}
	url = strings.TrimRight(url, "/")
	connected := &server{url: url, process: process}
	connected.control = control.Operations{Caller: &caller{url: url, headers: headers, process: process}}
	health, err := connected.control.Health()
	var refusal *Refusal
	if err != nil && !errors.As(err, &refusal) {
		return nil, fmt.Errorf("nobody listens at %s, which %s names (%w)", url, givenBy, err)
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
		file := filepath.Join(folder, ".petri", "running.json")
		text, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(text, &running) == nil {
			// A file of a Petri that was killed leads nowhere.
			if connected, err := connect(running.URL, os.Getenv("PETRI_CONTROL_TOKEN"), file, nil); err == nil {
				return connected
			}
		}
		if filepath.Dir(folder) == folder {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}
