// go test ./examples/go, with a Petri at PETRI_URL.
package petri

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
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
	return map[string]string{"x-vital-api-key": world.APIKey}
}

type order struct {
	ID        string `json:"id"`
	LastEvent struct {
		Status string `json:"status"`
	} `json:"last_event"`
}

// placeKit orders a kit that is sent to a ZIP code; docs/magic.md lists those that pick a scenario.
func placeKit(t *testing.T, world map[string]string, zip string) string {
	t.Helper()
	var user struct {
		ID string `json:"user_id"`
	}
	call(t, "POST", "/v2/user", world, object{"client_user_id": "ada"}, &user)
	var kits []struct {
		ID string `json:"id"`
	}
	call(t, "GET", "/v3/lab_tests?collection_method=testkit", world, nil, &kits)
	var placed struct {
		Order order `json:"order"`
	}
	call(t, "POST", "/v3/order/testkit", world, object{
		"user_id":     user.ID,
		"lab_test_id": kits[0].ID,
		"shipping_details": object{
			"receiver_name": "Ada Example", "first_line": "1 Test Street", "city": "Phoenix",
			"state": "AZ", "zip": zip, "country": "US", "phone_number": "+16025550123",
		},
	}, &placed)
	return placed.Order.ID
}

func TestALostKitFails(t *testing.T) {
	world := newWorld(t)
	id := placeKit(t, world, "00114")
	call(t, "POST", "/_petri/clock/advance", world, object{"by": "60d"}, nil)
	var found order
	call(t, "GET", "/v3/order/"+id, world, nil, &found)
	if found.LastEvent.Status != "failed.testkit.lost" {
		t.Fatalf("the order is %s", found.LastEvent.Status)
	}
}

// isSigned tells whether the svix-* headers sign this body with this secret.
func isSigned(secret string, header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("svix-id") + "." + header.Get("svix-timestamp") + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("svix-signature")) {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}

func TestEventsAreSigned(t *testing.T) {
	world := newWorld(t)
	const secret = "whsec_cGV0cmktZXhhbXBsZS1zZWNyZXQtZm9yLWdv"
	var lock sync.Mutex
	seen, refused := map[string]int{}, 0
	receiver := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		lock.Lock()
		defer lock.Unlock()
		if !isSigned(secret, request.Header, body) {
			refused++
			answer.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct {
			Type string `json:"event_type"`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			t.Error(err)
		}
		seen[event.Type]++
	}))
	defer receiver.Close()
	call(t, "POST", "/_petri/webhooks/endpoints", world, object{"url": receiver.URL, "secret": secret}, nil)
	placeKit(t, world, "00114")
	call(t, "POST", "/_petri/clock/advance", world, object{"by": "60d"}, nil)
	lock.Lock()
	defer lock.Unlock()
	if refused > 0 || seen["labtest.order.created"] != 1 || seen["labtest.order.updated"] == 0 {
		t.Fatalf("%d refused, seen %v", refused, seen)
	}
}
