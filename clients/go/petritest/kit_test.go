package petritest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/example/petri-sandbox/clients/go/control"
)

func TestAKitIsLostAndFound(t *testing.T) {
	world := Start(t, WithNow("2026-01-05T09:00:00Z"), WithScenario("problem-in-transit-customer"))
	receiver := world.Receiver()
	world.Webhooks.DeliverTo(receiver.URL)
	world.Webhooks.Faults.Set(control.WebhookFaultsInput{Duplicate: Ptr(1)})
	world.Orders.Place(control.OrderPlacing{})
	world.Clock.Advance("5d")
	updates, err := Data[control.Order](receiver, "labtest.order.updated")
	if err != nil {
		t.Fatal(err)
	}
	if status := updates[len(updates)-1].LastEvent.Status; status != "collecting_sample.testkit.problem_in_transit_customer" {
		t.Errorf("the order is %s", status)
	}
	if len(receiver.Received()) <= len(receiver.Events("")) || len(receiver.Refused()) > 0 {
		t.Errorf("%d received, %d events, refused: %v", len(receiver.Received()), len(receiver.Events("")), receiver.Refused())
	}
}

// errorsOf notes the errors of a test instead of failing it.
type errorsOf struct {
	testing.TB
	said []string
}

func (e *errorsOf) Helper() {}
func (e *errorsOf) Errorf(format string, values ...any) {
	e.said = append(e.said, fmt.Sprintf(format, values...))
}

func TestWhatTheProgramShowsIsCompared(t *testing.T) {
	world := Start(t)
	order := world.Orders.Place(control.OrderPlacing{})
	world.Orders.SetResults(order.ID, control.ExactResults{Values: map[string]any{"glucose": 91}})
	world.Clock.AdvanceUntil("idle")
	noted := &errorsOf{TB: t}
	world.t = noted
	for _, status := range []string{"completed", "completed.testkit.completed"} {
		world.AssertAgrees(order.ID, Shown{Status: status, Results: map[string]float64{"glucose": 91}})
	}
	if len(noted.said) > 0 {
		t.Errorf("%v", noted.said)
	}
	world.AssertAgrees(order.ID, Shown{Status: "lost", Interpretation: "none", Results: map[string]float64{"glucose": 92}})
	if said := strings.Join(noted.said, " "); len(noted.said) != 3 || !strings.Contains(said, "glucose 92; expected 91.") {
		t.Errorf("%v", noted.said)
	}
	if asked := world.Requests.List(control.RequestsListQuery{}); len(asked) > 0 {
		t.Errorf("recorded: %v", asked)
	}
}

func TestAForgedWebhookIsRefused(t *testing.T) {
	world := Start(t)
	receiver := world.Receiver()
	world.Webhooks.DeliverTo(receiver.URL)
	world.Webhooks.Faults.Set(control.WebhookFaultsInput{BadSignature: Ptr(true)})
	world.Orders.Place(control.OrderPlacing{})
	world.Clock.Settle()
	reason := "no signature of the webhook matches its body and the secret"
	if len(receiver.Received()) > 0 || receiver.Refused()[0] != reason {
		t.Errorf("received %d, refused: %v", len(receiver.Received()), receiver.Refused())
	}
	if !strings.Contains(world.Journal(), "pending (The receiver answered 401: "+reason+")") {
		t.Error(world.Journal())
	}
}

func TestCallsOfTheLiveServiceAreLedToTheWorld(t *testing.T) {
	world := Start(t)
	client := &http.Client{Transport: world.Transport()}
	body := strings.NewReader(`{"client_user_id": "ada"}`)
	request, _ := http.NewRequest("POST", "https://api.sandbox.tryvital.io/v2/user", body)
	request.Header.Set("x-vital-api-key", "sk_us_any")
	request.Header.Set("content-type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	requests := world.Requests.List(control.RequestsListQuery{})
	if response.StatusCode != 200 || len(requests) != 1 || requests[0].Path != "/v2/user" {
		t.Errorf("%s, %v", response.Status, requests)
	}
}

func TestARefusalHasTheWordsOfPetri(t *testing.T) {
	world := Start(t)
	refusal := world.Refusal(func(world *World) { world.Orders.Get("00000000-0000-4000-8000-000000000000") })
	if refusal.Status != 404 || !strings.Contains(refusal.Error(), "answered 404: ") {
		t.Error(refusal)
	}
	if !strings.Contains(world.Journal(), "GET /v3/order/00000000-0000-4000-8000-000000000000: 404") {
		t.Error(world.Journal())
	}
}

func TestAWrongFieldIsNamed(t *testing.T) {
	world := Start(t)
	refusal := world.Refusal(func(world *World) { world.Clock.SetPace(-1) })
	if !strings.HasPrefix(refusal.Error(), "PATCH /_petri/clock answered 422: body.pace: ") {
		t.Error(refusal)
	}
}

func TestStateIsExportedAndImported(t *testing.T) {
	world := Start(t)
	world.Users.Create("ada")
	state := world.State.Export()
	world.Reset()
	world.State.Import(state)
	if users := world.Describe().Counts["users"]; users != 1 {
		t.Errorf("%d users", users)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, world.State.Export()); err != nil {
		t.Fatal(err)
	}
}

// answering answers like a Petri of a version.
func answering(t *testing.T, version string) string {
	listening := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(response).Encode(map[string]string{"status": "ok", "version": version, "contract_version": "1"})
	}))
	t.Cleanup(listening.Close)
	return listening.URL
}

func TestAnOlderPetriIsNamed(t *testing.T) {
	url := answering(t, "0.0.9")
	t.Setenv("PETRI_URL", url)
	_, err := findOrStart()
	expected := "Petri 0.0.9 at " + url + " is older than this client, " + Version + ": update Petri, or use version 0.0.9 of the client"
	if err == nil || err.Error() != expected {
		t.Error(err)
	}
}

func TestVersionsAreComparedByNumber(t *testing.T) {
	for _, pair := range [][2]string{{"0.9.0", "0.10.0"}, {"0.1.9", "0.1.10"}, {"0.1.0", "1.0.0"}} {
		if !isOlder(pair[0], pair[1]) || isOlder(pair[1], pair[0]) || isOlder(pair[0], pair[0]) {
			t.Error(pair)
		}
	}
}

func TestARunningPetriIsFoundByItsFolder(t *testing.T) {
	url := answering(t, Version)
	folder := t.TempDir()
	below := filepath.Join(folder, "pkg", "orders")
	for _, each := range []string{below, filepath.Join(folder, ".petri")} {
		if err := os.MkdirAll(each, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(folder, ".petri", "running.json")
	if err := os.WriteFile(file, []byte(`{"pid": 1, "url": "`+url+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if running := runningAbove(below); running == nil || running.url != url {
		t.Errorf("found %v", running)
	}
	if err := os.WriteFile(file, []byte(`{"pid": 1, "url": "http://127.0.0.1:9"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if running := runningAbove(below); running != nil {
		t.Errorf("found %v", running)
	}
}

func TestWhatCannotBeStartedIsSaidInASentence(t *testing.T) {
	for _, variable := range []string{"PETRI_URL", "PETRI_IMAGE", "PETRI_COMMAND"} {
		t.Setenv(variable, "")
	}
	folder := t.TempDir()
	say := filepath.Join(folder, "say")
	if err := os.WriteFile(say, []byte("#!/bin/sh\necho Port 4080 on 127.0.0.1 is taken.\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ url, command, image, path, expected string }{
		{"http://127.0.0.1:9", "", "", os.Getenv("PATH"), "no answer from http://127.0.0.1:9"},
		{"", "no-such-petri", "", os.Getenv("PATH"), "no-such-petri start --host 127.0.0.1 --port 0 --data memory --attached cannot be run"},
		{"", say, "", os.Getenv("PATH"), "did not start: Port 4080 on 127.0.0.1 is taken."},
		{"", "", "petri-sandbox", folder, "PETRI_IMAGE is set, but there is neither docker nor podman"},
	}
	for _, each := range cases {
		t.Setenv("PETRI_URL", each.url)
		t.Setenv("PETRI_COMMAND", each.command)
		t.Setenv("PETRI_IMAGE", each.image)
		t.Setenv("PATH", each.path)
		if _, err := findOrStart(); err == nil || !strings.Contains(err.Error(), each.expected) {
			t.Errorf("%v, not %s", err, each.expected)
		}
	}
}

func TestAnImageIsStartedWithTheNetworkOfThisMachine(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "podman"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PETRI_COMMAND", "")
	t.Setenv("PETRI_IMAGE", "petri-sandbox")
	t.Setenv("PATH", folder)
	command, err := startCommand()
	if err != nil || strings.Join(command, " ") != "podman run --rm --interactive --network host petri-sandbox" {
		t.Errorf("%v, %v", command, err)
	}
}
