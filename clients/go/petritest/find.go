package petritest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
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
	if address := os.Getenv("PETRI_URL"); address != "" {
		return connect(address, token, fromVariable, nil)
	}
	if givenCommand() == "" && os.Getenv("PETRI_IMAGE") == "" {
		if running := runningAbove("."); running != nil {
			return running, nil
		}
	}
	command, err := startCommand()
	if err != nil {
		return nil, err
	}
	process, err := startProcess(command)
	if err != nil && givenCommand() != "" {
		return nil, fmt.Errorf("%w%s", err, missingFile(command))
	}
	if err != nil {
		return nil, err
	}
	return connect(process.url, token, origin{}, process)
}

// origin is who has given the address of a Petri, and what to do if nobody listens there.
type origin struct{ name, remedy string }

var (
	fromVariable = origin{"PETRI_URL", "unset PETRI_URL"}
	fromTest     = origin{"the test", "give the test another address"}
)

// connect connects to the Petri at an address, or to the one that this process has started there.
func connect(address, token string, from origin, process *process) (*server, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return nil, fmt.Errorf("%s should name an address such as http://127.0.0.1:4080; it names %q", from.name, address)
	}
	headers := map[string]string{}
	if token != "" {
		headers["authorization"] = "Bearer " + token
	}
	address = strings.TrimRight(address, "/")
	connected := &server{url: address, process: process}
	connected.control = control.Operations{Caller: &caller{url: address, headers: headers, process: process}}
	health, err := connected.control.Health()
	var refusal *Refusal
	switch {
	case err != nil && !errors.As(err, &refusal) && process != nil:
		return nil, err
	case err != nil && !errors.As(err, &refusal):
		return nil, fmt.Errorf("nobody listens at %s, which %s names (%w): start Petri there, or %s", address, from.name, err, from.remedy)
	case health.ContractVersion == "":
		return nil, fmt.Errorf("%s, which %s names, is not Petri", address, from.name)
	}
	connected.receiverHost = os.Getenv("RECEIVER_HOST")
	if connected.receiverHost == "" {
		connected.receiverHost = receiverHostOf(health.Caller)
	}
	if isOlder(health.Version, Version) {
		return nil, fmt.Errorf("the Petri %s at %s is older than this client, %s: update Petri, or use version %s of the client",
			health.Version, address, Version, health.Version)
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
			if connected, err := connect(running.URL, os.Getenv("PETRI_CONTROL_TOKEN"), origin{name: file}, nil); err == nil {
				return connected
			}
		}
		if filepath.Dir(folder) == folder {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}
