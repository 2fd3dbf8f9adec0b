// go test ./..., with Docker.
package petri

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func image() string {
	if name := os.Getenv("PETRI_IMAGE"); name != "" {
		return name
	}
	return "ghcr.io/example/petri-sandbox"
}

// startPetri answers the URL of a Petri in a container of the test's own.
func startPetri(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        image(),
			Env:          map[string]string{"PETRI_DATA": "memory", "PETRI_CONTROL_TOKEN": "control"},
			ExposedPorts: []string{"4080/tcp"},
			WaitingFor:   wait.ForHTTP("/_petri/health").WithPort("4080/tcp"),
		},
		Started: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = container.Terminate(ctx) })
	url, err := container.PortEndpoint(ctx, "4080/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func post(t *testing.T, url, header, value, body string, out any) {
	t.Helper()
	request, err := http.NewRequest("POST", url, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set(header, value)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		t.Fatalf("%s answered %d", url, answer.StatusCode)
	}
	if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
		t.Fatal(err)
	}
}

func TestTimeMovesWhenItIsToldTo(t *testing.T) {
	url := startPetri(t)
	var world struct {
		APIKey string `json:"api_key"`
	}
	birth := `{"frozen": true, "now": "2026-01-05T09:00:00Z"}`
	post(t, url+"/_petri/worlds", "authorization", "Bearer control", birth, &world)
	var advanced struct {
		Now string `json:"now"`
	}
	post(t, url+"/_petri/clock/advance", "x-vital-api-key", world.APIKey, `{"by": "3d"}`, &advanced)
	if advanced.Now != "2026-01-08T09:00:00.000Z" {
		t.Fatalf("it is %s", advanced.Now)
	}
}
