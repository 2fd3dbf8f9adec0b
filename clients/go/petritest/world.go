package petritest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
)

// World is a sandbox with its own data, clock, key and webhooks. Its methods end the test when Petri refuses a call; those of
// Operations return the error. Like t.Fatal, they are for the goroutine of the test.
type World struct {
	// URL and APIKey are for the program under test.
	URL, APIKey           string
	WebhookSecret, TeamID string

	Clock     Clock
	Users     Users
	LabTests  LabTests
	Orders    Orders
	Scenarios Scenarios
	Webhooks  Webhooks
	Requests  Requests
	Faults    Faults
	Snapshots Snapshots
	State     State
	// Operations are all of the control API, as they are.
	Operations control.Operations

	t      testing.TB
	server *server
	caller *caller
	fail   func(error)
	ctx    context.Context
	ending *ending
}

// ending is what the copies of a world have in common.
type ending struct {
	// closing is set first, ended when calls are no longer possible.
	closing, ended atomic.Bool
	lock           sync.Mutex
	hosts          []*hosted
	// cancel ends the context of the test.
	cancel context.CancelFunc
	began  time.Time
}

func newWorld(t testing.TB, server *server, view control.WorldView, ctx context.Context, ending *ending) *World {
	caller := &caller{
		url: server.url, headers: map[string]string{"x-service-api-key": view.APIKey},
		process: server.process, ended: &ending.ended, placed: &placed{},
	}
	world := &World{
		URL: server.url, APIKey: view.APIKey, WebhookSecret: view.WebhookSecret, TeamID: view.TeamID,
		t:      t,
		server: server,
		caller: caller,
		ending: ending,
		ctx:    ctx,
	}
	world.Operations = control.Operations{Caller: caller}.WithContext(ctx)
	world.fail = func(err error) {
		t.Helper()
		t.Fatal(err)
	}
	world.bind()
	return world
}

// contextOf ends before the test runs into its time-out, so that the test fails with its journal.
func contextOf(t testing.TB) (context.Context, context.CancelFunc) {
	if timed, isTimed := t.(interface{ Deadline() (time.Time, bool) }); isTimed {
		if deadline, isSet := timed.Deadline(); isSet {
			margin := time.Until(deadline) / 10
			return context.WithDeadline(context.Background(), deadline.Add(-margin))
		}
	}
	return context.WithCancel(context.Background())
}

// WithContext returns the world with another context for its calls; that of the test ends before the test times out.
func (w *World) WithContext(ctx context.Context) *World {
	other := *w
	other.ctx = ctx
	other.Operations = w.Operations.WithContext(ctx)
	other.bind()
	return &other
}

// Close deletes the world before its test ends, which does so otherwise. The test fails if a handler has.
func (w *World) Close() {
	w.t.Helper()
	if !w.ending.closing.CompareAndSwap(false, true) {
		return
	}
	defer w.ending.cancel()
	defer w.ending.ended.Store(true)
	w.closeHosts()
	if w.server.process.end() != "" {
		// Its worlds have ended with it.
		w.t.Errorf("%s. Its last lines:\n%s", w.server.process.end(), w.server.process.lastLines())
		return
	}
	if w.t.Failed() {
		w.t.Logf("Petri: what was asked and delivered\n%s", w.Journal())
	}
	var refusal *Refusal
	err := w.server.control.WorldsDrop(w.TeamID)
	if err != nil && !(errors.As(err, &refusal) && refusal.Status == http.StatusNotFound) {
		w.t.Error(err)
	}
}

func (w *World) closeHosts() {
	w.t.Helper()
	w.ending.lock.Lock()
	defer w.ending.lock.Unlock()
	for _, each := range w.ending.hosts {
		if failure := each.close(); failure != "" {
			w.t.Error(failure)
		}
	}
}

// host serves a handler until the world ends.
func (w *World) host(handler http.Handler) string {
	w.t.Helper()
	served, err := host(handler, w.server.receiverHost)
	w.check(err)
	w.ending.lock.Lock()
	defer w.ending.lock.Unlock()
	w.ending.hosts = append(w.ending.hosts, served)
	return served.url
}

// check ends the test if there is an error.
func (w *World) check(err error) {
	w.t.Helper()
	if err != nil {
		w.fail(err)
	}
}

// Refusal returns how Petri refuses what is done with the world, and ends the test if it does not.
func (w *World) Refusal(do func(*World)) (refusal *Refusal) {
	w.t.Helper()
	refusing := *w
	refusing.fail = func(err error) { panic(refused{err}) }
	refusing.bind()
	defer func() {
		w.t.Helper()
		switch stopped := recover().(type) {
		case nil:
			w.t.Fatal("Petri refused nothing.")
		case refused:
			if !errors.As(stopped.error, &refusal) {
				w.t.Fatal(stopped.error)
			}
		default:
			panic(stopped)
		}
	}()
	do(&refusing)
	return nil
}

// refused passes an error from a verb to Refusal.
type refused struct{ error }

// Call calls the service or the control API, and reads the JSON into the result unless that is nil.
func (w *World) Call(method, path string, body, result any) {
	w.t.Helper()
	w.check(w.caller.Call(w.ctx, method, path, body, result))
}

// Fetch calls the service and returns the response, whatever its status.
func (w *World) Fetch(method, path string, body any) *http.Response {
	w.t.Helper()
	response, err := w.caller.fetch(w.ctx, method, path, body)
	w.check(err)
	w.t.Cleanup(func() { response.Body.Close() })
	return response
}

// Shown is an order as the program under test shows it. What is empty is not compared.
type Shown struct {
	// Status is low-level, dotted, or the first part of a dotted status.
	Status         string
	Interpretation string
	// Results are values by the slug of the result.
	Results map[string]float64
}

// AssertAgrees fails the test if what the program shows of an order is not what the world has.
func (w *World) AssertAgrees(orderID string, shown Shown) {
	w.t.Helper()
	// Not recorded as calls of the program.
	aside := &caller{url: w.URL, headers: map[string]string{"x-service-api-key": w.APIKey, "x-petri-aside": "1"}, process: w.server.process}
	path := "/v3/order/" + url.PathEscape(orderID)
	var order control.Order
	w.check(aside.Call(w.ctx, "GET", path, nil, &order))
	found := order.LastEvent.Status
	if s := shown.Status; s != "" && s != found && s != order.Status && !strings.HasSuffix(found, "."+s) {
		w.t.Errorf("The program shows the status %s; expected %s.", s, found)
	}
	if i := shown.Interpretation; i != "" && i != order.Interpretation {
		w.t.Errorf("The program shows the interpretation %s; expected %s.", i, order.Interpretation)
	}
	if len(shown.Results) == 0 {
		return
	}
	var reported struct {
		Results []struct {
			Slug  string   `json:"slug"`
			Value *float64 `json:"value"`
		} `json:"results"`
	}
	w.check(aside.Call(w.ctx, "GET", path+"/result", nil, &reported))
	values := map[string]string{}
	for _, each := range reported.Results {
		if each.Value != nil {
			values[each.Slug] = fmt.Sprint(*each.Value)
		}
	}
	for slug, value := range shown.Results {
		if expected, isKnown := values[slug]; !isKnown {
			w.t.Errorf("The program shows %s %v; the order has no such value.", slug, value)
		} else if fmt.Sprint(value) != expected {
			w.t.Errorf("The program shows %s %v; expected %s.", slug, value, expected)
		}
	}
}

// Receiver is an HTTP server of the test which verifies and keeps webhooks. DeliverTo its URL.
func (w *World) Receiver() *Receiver {
	w.t.Helper()
	receiver := &Receiver{secret: w.WebhookSecret}
	receiver.URL = w.host(receiver)
	return receiver
}

// Transport leads the calls of an http.Client to the hosts of the live service to this world, with any key.
func (w *World) Transport() http.RoundTripper {
	w.t.Helper()
	target, err := url.Parse(w.URL)
	w.check(err)
	return &transport{target: target, apiKey: w.APIKey, direct: client.Transport}
}

// Journal is what was asked, ordered and delivered, a line each, in the order in which it happened.
func (w *World) Journal() string {
	// Also when the context of the test has ended.
	lines, err := w.lines(w.Operations.WithContext(context.Background()))
	if err != nil {
		return "The journal cannot be read: " + err.Error()
	}
	return strings.Join(lines, "\n")
}

func (w *World) lines(operations control.Operations) ([]string, error) {
	requests, err := operations.RequestsList(control.RequestsListQuery{Limit: maxRows})
	if err != nil {
		return nil, err
	}
	var messages []control.WebhookMessage
	for _, status := range []string{"", "no_endpoint"} {
		page, err := operations.WebhookMessagesList(control.WebhookMessagesListQuery{Limit: maxRows, Status: status})
		if err != nil {
			return nil, err
		}
		messages = append(messages, page.Data...)
	}
	refused, err := operations.RequestsRefused()
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, each := range w.caller.placed.list() {
		entries = append(entries, placing(each, messages))
	}
	for _, each := range requests.Data {
		entries = append(entries, entry{each.At, each.Sequence, fmt.Sprintf("%s %s: %d", each.Method, each.Path, each.Status)})
	}
	for _, each := range messages {
		text := fmt.Sprintf("webhook %s: %s", each.EventType, strings.ReplaceAll(each.Status, "_", " "))
		entries = append(entries, entry{each.CreatedAt, each.Sequence, text + reason(each)})
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].isBefore(entries[j]) })
	var lines []string
	for _, each := range entries {
		lines = append(lines, each.at+"  "+each.text)
	}
	if len(lines) == 0 {
		lines = append(lines, "Nothing was asked or delivered.")
	}
	return append(lines, strangers(refused.Data, w.ending.began)...), nil
}

// placing stands before the first webhook of an order.
func placing(order control.PlacedOrder, messages []control.WebhookMessage) entry {
	placed := entry{order.CreatedAt, 0, "the test placed order " + order.ID}
	for _, each := range messages {
		if each.OrderID == order.ID && (placed.sequence == 0 || each.Sequence < placed.sequence) {
			placed.at, placed.sequence = each.CreatedAt, each.Sequence
		}
	}
	return placed
}

// strangers are the calls with the key of no world since the world began, in whole milliseconds.
func strangers(refused []control.RefusedCall, began time.Time) []string {
	var lines []string
	for _, each := range refused {
		if at, err := time.Parse(time.RFC3339, each.At); err != nil || at.Before(began.Truncate(time.Millisecond)) {
			continue
		}
		if len(lines) == 0 {
			lines = append(lines, "With a key of no world, in this test or one next to it:")
		}
		lines = append(lines, fmt.Sprintf("%s  %s %s: %d (%s)", each.At, each.Method, each.Path, each.Status, each.Detail))
	}
	return lines
}

// entry is a line of the journal.
type entry struct {
	at       string
	sequence int
	text     string
}

func (e entry) isBefore(other entry) bool {
	one, _ := time.Parse(time.RFC3339, e.at)
	two, _ := time.Parse(time.RFC3339, other.at)
	return one.Before(two) || one.Equal(two) && e.sequence < other.sequence
}

// reason is why the last attempt failed, with what the receiver answered.
func reason(message control.WebhookMessage) string {
	if message.LastError == "" {
		return ""
	}
	text := message.LastError
	if kept := message.Attempts; len(kept) > 0 {
		if last := kept[len(kept)-1].Response; last != nil && last.Body != "" {
			text += ": " + strings.TrimSpace(last.Body)
		}
	}
	text = " (" + text + ")"
	if message.LastAdvice != "" {
		text += "\n  " + message.LastAdvice
	}
	return text
}
