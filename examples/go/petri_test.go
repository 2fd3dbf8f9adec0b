// go test ./examples/go, with a Petri at PETRI_URL.
package petri

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
)

type object = map[string]any

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

// call asks Petri and reads its answer into out, unless that is nil.
func call(t *testing.T, method, path string, headers map[string]string, body, out any) {
	t.Helper()
	var text io.Reader
	if body != nil {
		marshalled, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.NewReader(marshalled)
	}
	request, err := http.NewRequest(method, env("PETRI_URL", "http://127.0.0.1:4080")+path, text)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	given, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode >= 300 {
		t.Fatalf("%s %s answered %d: %s", method, path, answer.StatusCode, given)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(given, out); err != nil {
		t.Fatal(err)
	}
}

// newWorld makes a sandbox of the test's own; its headers open it.
func newWorld(t *testing.T) map[string]string {
	t.Helper()
	control := map[string]string{}
	if token := os.Getenv("PETRI_CONTROL_TOKEN"); token != "" {
		control["authorization"] = "Bearer " + token
	}
	var world struct {
		TeamID string `json:"team_id"`
		APIKey string `json:"api_key"`
	}
	call(t, "POST", "/_petri/worlds", control, object{"frozen": true}, &world)
	t.Cleanup(func() { call(t, "DELETE", "/_petri/worlds/"+world.TeamID, control, nil, nil) })
	return map[string]string{"x-service-api-key": world.APIKey}
}

func TestALostKitFails(t *testing.T) {
	world := newWorld(t)
	var user struct {
		ID string `json:"user_id"`
	}
	call(t, "POST", "/v2/user", world, object{"client_user_id": "ada"}, &user)
	var kits []struct {
		ID string `json:"id"`
	}
	call(t, "GET", "/v3/lab_tests?collection_method=testkit", world, nil, &kits)
	type order struct {
		ID        string `json:"id"`
		LastEvent struct {
			Status string `json:"status"`
		} `json:"last_event"`
	}
	var placed struct {
		Order order `json:"order"`
	}
	// This ZIP code picks the scenario; docs/magic.md lists them all.
	call(t, "POST", "/v3/order/testkit", world, object{
		"user_id":     user.ID,
		"lab_test_id": kits[0].ID,
		"shipping_details": object{
			"receiver_name": "Ada Example", "first_line": "1 Test Street", "city": "Phoenix",
			"state": "AZ", "zip": "00114", "country": "US", "phone_number": "+16025550123",
		},
	}, &placed)
	call(t, "POST", "/_petri/clock/advance", world, object{"by": "60d"}, nil)
	var found order
	call(t, "GET", "/v3/order/"+placed.Order.ID, world, nil, &found)
	if found.LastEvent.Status != "failed.testkit.lost" {
		t.Fatalf("the order is %s", found.LastEvent.Status)
	}
}
