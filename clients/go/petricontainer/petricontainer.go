// Package petricontainer runs Petri in a container with Testcontainers, for tests in Go. It is a module of its own, so that the
// kit needs nothing but the standard library.
package petricontainer

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"

	"github.com/example/petri-sandbox/clients/go/petritest"
)

// Image is that of the version of the client.
const Image = "ghcr.io/example/petri-sandbox:" + petritest.Version

const (
	port      = "4080/tcp"
	scenarios = "/scenarios"
)

// Container is Petri in a container, which stores nothing.
type Container struct {
	testcontainers.Container
	// URL is where tests reach it.
	URL string
	// ControlToken makes worlds: the calls of a test come from another machine, as the container sees it.
	ControlToken string
}

// Run starts a container, and waits until Petri answers. If it returns an error together with a container, that is to be ended, too:
// give it to testcontainers.CleanupContainer before looking at the error.
func Run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) (*Container, error) {
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return nil, err
	}
	controlToken := hex.EncodeToString(token)
	all := append([]testcontainers.ContainerCustomizer{
		testcontainers.WithEnv(map[string]string{"PETRI_DATA": "memory", "PETRI_CONTROL_TOKEN": controlToken}),
		testcontainers.WithExposedPorts(port),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/_petri/health").WithPort(port)),
	}, options...)
	running, err := testcontainers.Run(ctx, image, all...)
	if running == nil {
		return nil, fmt.Errorf("start Petri: %w", err)
	}
	container := &Container{Container: running, ControlToken: controlToken}
	if err != nil {
		return container, fmt.Errorf("start Petri: %w", err)
	}
	container.URL, err = running.PortEndpoint(ctx, port, "http")
	return container, err
}

// WithScenarios copies the files of a folder into the container, whose worlds then have its scenarios.
func WithScenarios(folder string) testcontainers.CustomizeRequestOption {
	return func(request *testcontainers.GenericContainerRequest) error {
		files, err := filesOf(folder)
		if err != nil {
			return err
		}
		if err := testcontainers.WithFiles(files...)(request); err != nil {
			return err
		}
		return testcontainers.WithEnv(map[string]string{"PETRI_SCENARIOS": scenarios})(request)
	}
}

func filesOf(folder string) ([]testcontainers.ContainerFile, error) {
	var files []testcontainers.ContainerFile
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(folder, file)
		files = append(files, testcontainers.ContainerFile{
			HostFilePath:      file,
			ContainerFilePath: path.Join(scenarios, filepath.ToSlash(relative)),
			FileMode:          0o644,
		})
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no scenario file in %s", folder)
	}
	return files, err
}

// World returns a world for this test, which ends with it, as petritest.Start does.
func (c *Container) World(t testing.TB, options ...petritest.Option) *petritest.World {
	t.Helper()
	return petritest.Connect(t, c.URL, c.ControlToken, options...)
}
