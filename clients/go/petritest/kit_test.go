package petritest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

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

func TestWhatTheProgramShowsIsCompared(t *testing.T) {
	world := Start(t)
	order := world.Orders.Place(control.OrderPlacing{})
	world.Orders.SetResults(order.ID, control.ExactResults{Values: map[string]any{"glucose": 91}})
	world.Clock.AdvanceUntil("idle")
	test := &noted{TB: t}
	world.t = test
	for _, status := range []string{"completed", "completed.testkit.completed"} {
		world.AssertAgrees(order.ID, Shown{Status: status, Results: map[string]float64{"glucose": 91}})
	}
	if len(test.said) > 0 {
		t.Errorf("%v", test.said)
	}
	world.AssertAgrees(order.ID, Shown{Status: "lost", Interpretation: "none", Results: map[string]float64{"glucose": 92}})
	if said := strings.Join(test.said, " "); len(test.said) != 3 || !strings.Contains(said, "glucose 92; expected 91.") {
		t.Errorf("%v", test.said)
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
	bearing, _ := http.NewRequest("GET", "https://api.tryvital.io/v2/user/ada", nil)
	bearing.Header.Set("authorization", "Bearer sk_us_any")
	if refused, err := client.Do(bearing); err != nil || refused.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("%v, %v", refused, err)
	}
	keys := make(chan string, 1)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		keys <- request.Header.Get("authorization")
	}))
	defer elsewhere.Close()
	other, _ := http.NewRequest("GET", elsewhere.URL, nil)
	other.Header.Set("authorization", "Bearer sk_us_any")
	if answered, err := client.Do(other); err != nil || answered.StatusCode != http.StatusOK || <-keys != "Bearer sk_us_any" {
		t.Errorf("%v, %v", answered, err)
	}
	requests := world.Requests.List(control.RequestsListQuery{})
	if response.StatusCode != 200 || len(requests) != 2 || requests[0].Path != "/v2/user" {
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

func TestListsInARefusalKeepTheirForm(t *testing.T) {
	cases := map[string]string{
		`{"detail": "No.", "legal": ["lost", "cancelled"]}`:                     "No.\n  legal: lost, cancelled",
		`{"detail": "No.", "legal": [], "next_due": null}`:                      "No.\n  legal: nothing\n  next_due: nothing",
		`{"detail": "No.", "ids": [1, {"id": "a"}]}`:                            "No.\n  ids: [1,{\"id\":\"a\"}]",
		`{"detail": "No.", "timeline": [{"at": "1", "what": "a"}]}`:             "No.\n  timeline:\n    1  a",
		`{"detail": [{"loc": ["body", "by"], "msg": "Missing"}, {"msg": "x"}]}`: "body.by: Missing\n{\"msg\":\"x\"}",
		`null`: "nothing",
	}
	for body, expected := range cases {
		var parsed any
		if err := json.Unmarshal([]byte(body), &parsed); err != nil {
			t.Fatal(err)
		}
		if text := textOf(parsed); text != expected {
			t.Errorf("%s: %q", body, text)
		}
	}
}

func TestTheReasonOfAWebhookNeedsNoAttempt(t *testing.T) {
	if said := reason(control.WebhookMessage{LastError: "No reply"}); said != " (No reply)" {
		t.Error(said)
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
	world.Reset(control.Reset{})
	world.State.Import(state)
	if users := world.Describe().Counts["users"]; users != 1 {
		t.Errorf("%d users", users)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, world.State.Export()); err != nil {
		t.Fatal(err)
	}
}

func TestWhatCannotBeMeantIsRefusedInASentence(t *testing.T) {
	cases := map[string]func(world *World){
		"GET /v3/order/: an id or name is empty":                                     func(world *World) { world.Orders.Get("") },
		"POST /_petri/orders//move: an id or name is empty":                          func(world *World) { world.Orders.Move("", "lost") },
		"DeliverToHandler needs a handler; it got nil.":                              func(world *World) { world.Webhooks.DeliverToHandler(nil) },
		"DeliverToHandler needs a handler; it got nil":                               func(world *World) { world.Webhooks.DeliverToHandler(http.HandlerFunc(nil)) },
		`the test should name an address such as http://127.0.0.1:4080; it names ""`: func(world *World) { Connect(world.t, "", "") },
		"An option of the world is nil.":                                             func(world *World) { Start(world.t, nil) },
	}
	for expected, do := range cases {
		said := (&noted{TB: t}).run(func(test testing.TB) { do(Start(test)) })
		if !strings.HasPrefix(said, expected) {
			t.Errorf("%q, not %q", said, expected)
		}
	}
}

func TestTimesOfGoMoveTheClock(t *testing.T) {
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	world := Start(t, WithTime(start))
	world.Clock.AdvanceBy(36*time.Hour + 1500*time.Millisecond)
	if now := world.Clock.Now(); !now.Equal(start.Add(36*time.Hour + 1500*time.Millisecond)) {
		t.Error(now)
	}
	world.Clock.AdvanceToTime(start.Add(48 * time.Hour))
	if now := world.Clock.Now(); !now.Equal(start.Add(48 * time.Hour)) {
		t.Error(now)
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

func TestARelativePathIsNoCauseWhereItIsAFile(t *testing.T) {
	for _, each := range []string{"node kit_test.go --x=dist/main.js", "podman run ghcr.io/example/petri", "/no/such/petri"} {
		command, err := words(each)
		if cause := missingFile(command); err != nil || cause != "" {
			t.Errorf("%s: %q, %v", each, cause, err)
		}
	}
}

func TestAnOlderPetriIsNamed(t *testing.T) {
	url := answering(t, "0.0.9")
	t.Setenv("PETRI_URL", url)
	_, err := findOrStart()
	expected := "the Petri 0.0.9 at " + url + " is older than this client, " + Version + ": update Petri, or use version 0.0.9 of the client"
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
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative := " is a relative path, and there is no such file in " + here + ": write an absolute path into PETRI_COMMAND"
	another := httptest.NewServer(http.NotFoundHandler())
	defer another.Close()
	cases := []struct{ url, command, image, path, expected string }{
		{"http://127.0.0.1:9", "", "", os.Getenv("PATH"), "nobody listens at http://127.0.0.1:9, which PETRI_URL names"},
		{"http://127.0.0.1:9", "", "", os.Getenv("PATH"), "connection refused): start Petri there, or unset PETRI_URL"},
		{another.URL, "", "", os.Getenv("PATH"), another.URL + ", which PETRI_URL names, is not Petri"},
		{"ftp://127.0.0.1", "", "", folder, `PETRI_URL should name an address such as http://127.0.0.1:4080; it names "ftp://127.0.0.1"`},
		{"127.0.0.1:4080", "", "", folder, `PETRI_URL should name an address such as http://127.0.0.1:4080; it names "127.0.0.1:4080"`},
		{"", "bin/petri", "", folder, "\nbin/petri" + relative},
		{"", say + " dist/cli/main.js", "", folder, "\ndist/cli/main.js" + relative},
		{"", " \t", "", folder, "there is no Petri: set PETRI_COMMAND"},
		{"", "no-such-petri", "", os.Getenv("PATH"), "no-such-petri start --host 127.0.0.1 --port 0 --data memory --attached cannot be run"},
		{"", say, "", os.Getenv("PATH"), "did not start: Port 4080 on 127.0.0.1 is taken."},
		{"", "", "petri-sandbox", folder, "PETRI_IMAGE is set, but there is neither docker nor podman"},
		{"", "node 'dist/main.js", "", folder, "PETRI_COMMAND has a quote without its end: node 'dist/main.js"},
		{"", "", "", folder, "there is no Petri: set PETRI_COMMAND"},
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
	t.Setenv("PETRI_SCENARIOS", folder)
	command, err = startCommand()
	mounted := "--volume " + folder + ":/scenarios:ro --env PETRI_SCENARIOS=/scenarios petri-sandbox"
	if err != nil || !strings.HasSuffix(strings.Join(command, " "), mounted) {
		t.Errorf("%v, %v", command, err)
	}
}

func TestACommandHasQuotesAroundSpaces(t *testing.T) {
	found, err := words(`  node "/my clone/main.js"  --x='a "b"' C:\petri `)
	expected := []string{"node", "/my clone/main.js", `--x=a "b"`, `C:\petri`}
	if err != nil || !reflect.DeepEqual(found, expected) {
		t.Errorf("%q, %v", found, err)
	}
}

// noted is a test that may fail: what it says is kept.
type noted struct {
	testing.TB
	lock    sync.Mutex
	failed  bool
	said    []string
	cleanup []func()
}

func (n *noted) Helper()           {}
func (n *noted) Failed() bool      { return n.failed }
func (n *noted) Cleanup(do func()) { n.cleanup = append(n.cleanup, do) }
func (n *noted) Logf(format string, values ...any) {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.said = append(n.said, fmt.Sprintf(format, values...))
}
func (n *noted) Errorf(format string, values ...any) { n.failed = true; n.Logf(format, values...) }
func (n *noted) Error(values ...any)                 { n.Errorf("%s", fmt.Sprint(values...)) }
func (n *noted) Fatal(values ...any)                 { n.Error(values...); runtime.Goexit() }

// run plays a test to its end, and returns what it has said.
func (n *noted) run(test func(testing.TB)) string {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			for i := len(n.cleanup) - 1; i >= 0; i-- {
				n.cleanup[i]()
			}
		}()
		test(n)
	}()
	<-ended
	return strings.Join(n.said, "\n")
}

func TestAWorldEndsOnce(t *testing.T) {
	world := Start(t)
	world.Close()
	world.Close()
	if _, err := world.Operations.ClockGet(); err == nil || !strings.HasPrefix(err.Error(), "this world has ended") {
		t.Error(err)
	}
	dropped := Start(t)
	if err := dropped.server.control.WorldsDrop(dropped.TeamID); err != nil {
		t.Fatal(err)
	}
	dropped.Close()
}

// timed is a test that runs out of time in two seconds.
type timed struct{ testing.TB }

func (t timed) Deadline() (time.Time, bool) { return time.Now().Add(2 * time.Second), true }

func TestAnAdvanceEndsBeforeItsTestRunsOutOfTime(t *testing.T) {
	ofTest, given := Start(timed{t}), make(chan struct{})
	world := ofTest.WithContext(context.Background())
	world.Webhooks.DeliverToHandler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-given }))
	world.Orders.Place(control.OrderPlacing{})
	started := time.Now()
	_, err := ofTest.Operations.ClockAdvance(control.Advance{By: "30d"})
	close(given)
	if took := time.Since(started); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
		t.Errorf("%v, after %s", err, took)
	}
	// Petri has stopped, too.
	for ; world.Clock.Get().Advancing; time.Sleep(50 * time.Millisecond) {
		if time.Since(started) > 20*time.Second {
			t.Fatal("the advance goes on")
		}
	}
}

func TestAPetriOfTheKitHasTheScenariosOfTheUserAndTellsHowItHasDied(t *testing.T) {
	folder := t.TempDir()
	mine := "name: mine\nsummary: Cancelled.\nmethod: testkit\nsteps: [{ after: 1d, status: cancelled }]\n"
	if err := os.WriteFile(filepath.Join(folder, "mine.yaml"), []byte(mine), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PETRI_SCENARIOS", folder)
	command, err := startCommand()
	if err != nil {
		t.Skip(err)
	}
	started, err := startProcess(command)
	if err != nil {
		t.Fatal(err)
	}
	connected, err := connect(started.url, "", origin{}, started)
	if err != nil {
		t.Fatal(err)
	}
	world := connected.world(t, []Option{WithScenario("mine")})
	world.Close()
	if _, err := connected.control.Stop(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); started.end() == "" && time.Since(begun) < 20*time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := connected.control.Health(); err == nil || !strings.Contains(err.Error(), "Its last lines:\n") {
		t.Error(err)
	}
}

// whatDiffers are times, addresses, folders, keys and how long something took, in what go test prints.
var whatDiffers = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`\d+\.\d+s\b`), "N s"},
	{regexp.MustCompile(`(?s)goroutine \d+.*?\n *\n`), "STACK\n"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`(?s)Petri is ready.*?\nFAIL`), "LOG\nFAIL"},
	{regexp.MustCompile(`\S+(  GET /v2/user/\{)`), "NOW$1"},
}

func TestWhatGoTestPrintsOfTestsThatFail(t *testing.T) {
	if _, err := startCommand(); err != nil {
		t.Skip(err)
	}
	run := exec.Command("go", "test", "-count=1", "-parallel=16", "-timeout=30s", "./testdata/failing", "./testdata/killed")
	run.Env = append(os.Environ(), "PETRI_URL=")
	started := time.Now()
	output, err := run.CombinedOutput()
	if took := time.Since(started); err == nil || took > time.Minute {
		t.Errorf("%v, after %s", err, took)
	}
	printed := string(output)
	for _, each := range whatDiffers {
		printed = each.pattern.ReplaceAllString(printed, each.by)
	}
	// Tests that run in parallel end in any order.
	tests := regexp.MustCompile(`(?m)^(--- FAIL|FAIL|Petri: )`).ReplaceAllString(printed, "\x00$1")
	blocks := strings.Split(tests, "\x00")
	sort.Strings(blocks)
	expected, err := os.ReadFile("testdata/printed.txt")
	if found := strings.Join(blocks, ""); err != nil || found != string(expected) {
		t.Errorf("%v; go test printed:\n%s", err, found)
	}
}
