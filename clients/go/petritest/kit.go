package petritest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
)

// Clock moves the time of a world.
type Clock struct{ w *World }

// Get returns where the clock stands, and what is due.
func (c Clock) Get() control.Clock {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockGet()
	c.w.check(err)
	return result
}

// Now is the instant of the clock.
func (c Clock) Now() time.Time {
	c.w.t.Helper()
	now, err := time.Parse(time.RFC3339, c.Get().Now)
	c.w.check(err)
	return now
}

// Advance moves the clock, for example by "3d". All that is due on the way happens.
func (c Clock) Advance(by string) control.Advanced {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockAdvance(control.Advance{By: by})
	c.w.check(err)
	return result
}

// AdvanceTo moves the clock to an instant.
func (c Clock) AdvanceTo(instant string) control.Advanced {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockAdvance(control.Advance{To: instant})
	c.w.check(err)
	return result
}

// AdvanceUntil moves the clock until "idle", when nothing is left to do, or until the "next" job is done.
func (c Clock) AdvanceUntil(until string) control.Advanced {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockAdvance(control.Advance{Until: until})
	c.w.check(err)
	return result
}

// Settle lets happen what is due now.
func (c Clock) Settle() control.Advanced {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockAdvance(control.Advance{By: "0s"})
	c.w.check(err)
	return result
}

// Freeze stops the clock.
func (c Clock) Freeze() control.Clock {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockPatch(control.ClockPatch{Frozen: Ptr(true)})
	c.w.check(err)
	return result
}

// Run lets the clock run.
func (c Clock) Run() control.Clock {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockPatch(control.ClockPatch{Frozen: Ptr(false)})
	c.w.check(err)
	return result
}

// SetPace sets how fast scenarios run in a live world.
func (c Clock) SetPace(pace float64) control.Clock {
	c.w.t.Helper()
	result, err := c.w.Operations.ClockPatch(control.ClockPatch{Pace: &pace})
	c.w.check(err)
	return result
}

// Users are the users of a world.
type Users struct{ w *World }

// Create creates a user, with a generated client user id if that is empty.
func (u Users) Create(clientUserID string) control.User {
	u.w.t.Helper()
	result, err := u.w.Operations.UsersCreate(&control.UserCreation{ClientUserID: clientUserID})
	u.w.check(err)
	return result
}

// CreateWith creates a user with an id, a persona or other fields of your choice.
func (u Users) CreateWith(user control.UserCreation) control.User {
	u.w.t.Helper()
	result, err := u.w.Operations.UsersCreate(&user)
	u.w.check(err)
	return result
}

// Get returns a user, as the service does.
func (u Users) Get(userID string) (result control.User) {
	u.w.t.Helper()
	u.w.check(u.w.caller.Call(u.w.ctx, "GET", "/v2/user/"+url.PathEscape(userID), nil, &result))
	return result
}

// SetScenario sets the scenario of the user's orders.
func (u Users) SetScenario(userID, scenario string) control.UserScenario {
	u.w.t.Helper()
	result, err := u.w.Operations.UsersScenarioPut(userID, control.UserScenarioInput{Scenario: scenario})
	u.w.check(err)
	return result
}

// SetFeed assigns a feed scenario to the connection of a user to a provider.
func (u Users) SetFeed(userID, provider, scenario string) control.ConnectionFeedView {
	u.w.t.Helper()
	body := control.ConnectionFeedInput{Scenario: scenario}
	result, err := u.w.Operations.ConnectionsFeedPut(userID, provider, body)
	u.w.check(err)
	return result
}

// AddData adds samples or a summary of a wearable, with their events.
func (u Users) AddData(userID string, data control.UserData) control.UserDataKept {
	u.w.t.Helper()
	result, err := u.w.Operations.UserDataPut(userID, data)
	u.w.check(err)
	return result
}

// LabTests are the lab tests of a world.
type LabTests struct{ w *World }

// Create creates a lab test from markers.
func (l LabTests) Create(labTest control.LabTestCreation) control.LabTest {
	l.w.t.Helper()
	result, err := l.w.Operations.LabTestsCreate(labTest)
	l.w.check(err)
	return result
}

// Orders are the orders of a world.
type Orders struct{ w *World }

// Place orders the test kit of the team, for a new user unless one is given.
func (o Orders) Place(order control.OrderPlacing) control.PlacedOrder {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersPlace(&order)
	o.w.check(err)
	return result
}

// Get returns an order, as the service does.
func (o Orders) Get(orderID string) (result control.Order) {
	o.w.t.Helper()
	o.w.check(o.w.caller.Call(o.w.ctx, "GET", "/v3/order/"+url.PathEscape(orderID), nil, &result))
	return result
}

// List lists orders by status, method or text.
func (o Orders) List(query control.OrdersListQuery) control.Board {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersList(query)
	o.w.check(err)
	return result
}

// Life returns all that is known of an order, and how it continues.
func (o Orders) Life(orderID string) control.OrderLife {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersGet(orderID)
	o.w.check(err)
	return result
}

// Move moves an order to a status, such as "lost".
func (o Orders) Move(orderID, status string) control.Order {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersMove(orderID, control.Move{Status: status})
	o.w.check(err)
	return result
}

// MoveWith moves an order with results, a shipment or force.
func (o Orders) MoveWith(orderID string, move control.Move) control.Order {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersMove(orderID, move)
	o.w.check(err)
	return result
}

// SetResults sets exact results.
func (o Orders) SetResults(orderID string, results control.ExactResults) control.ResultsPut {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersResultsPut(orderID, results)
	o.w.check(err)
	return result
}

// Scenario returns the scenario of an order, and what is left of it.
func (o Orders) Scenario(orderID string) control.OrderScenario {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersScenarioGet(orderID)
	o.w.check(err)
	return result
}

// SetScenario puts an order into a scenario.
func (o Orders) SetScenario(orderID, scenario string) control.OrderScenario {
	o.w.t.Helper()
	result, err := o.w.Operations.OrdersScenarioPut(orderID, control.OrderScenarioInput{Scenario: scenario})
	o.w.check(err)
	return result
}

// Reach advances the clock until an order has reached a status. The test fails if nothing that is pending reaches it.
func (o Orders) Reach(orderID, status string) control.Order {
	o.w.t.Helper()
	_, err := o.w.Operations.ClockAdvance(control.Advance{OrderID: orderID, Status: status})
	o.w.check(err)
	return o.Get(orderID)
}

// Wait waits up to ten seconds until an order has a status, for worlds with a live clock.
func (o Orders) Wait(orderID, status string) *control.Order {
	o.w.t.Helper()
	result, err := o.w.Operations.Wait(control.Wait{OrderID: orderID, Status: status})
	o.w.check(err)
	return result.Order
}

// Scenarios are those of orders and of feeds, and personas.
type Scenarios struct{ w *World }

// List lists those of a kind, such as "feed"; all for "".
func (s Scenarios) List(kind string) []control.ScenarioSummary {
	s.w.t.Helper()
	result, err := s.w.Operations.ScenariosList(control.ScenariosListQuery{Kind: kind})
	s.w.check(err)
	return result.Data
}

// Get returns one with its source.
func (s Scenarios) Get(name string) control.ScenarioView {
	s.w.t.Helper()
	result, err := s.w.Operations.ScenariosGet(name)
	s.w.check(err)
	return result
}

// Add adds one to this world.
func (s Scenarios) Add(name, yaml string) control.ScenarioView {
	s.w.t.Helper()
	result, err := s.w.Operations.ScenariosPut(name, map[string]string{"source": yaml}, control.ScenariosPutQuery{})
	s.w.check(err)
	return result
}

// Remove removes one of this world.
func (s Scenarios) Remove(name string) {
	s.w.t.Helper()
	s.w.check(s.w.Operations.ScenariosDelete(name))
}

// Webhooks are the endpoints of a world, and what is delivered to them.
type Webhooks struct {
	Endpoints Endpoints
	Faults    WebhookFaults
	w         *World
}

// DeliverTo delivers webhooks to a URL.
func (w Webhooks) DeliverTo(url string) control.AddedWebhookEndpoint {
	w.w.t.Helper()
	result, err := w.w.Operations.WebhookEndpointsCreate(control.NewWebhookEndpoint{URL: url})
	w.w.check(err)
	return result
}

// DeliverToHandler delivers webhooks to a handler in this process, until the end of the test. If it panics, ends the test or does not
// answer within 15 seconds, the test fails.
func (w Webhooks) DeliverToHandler(handler http.Handler) control.AddedWebhookEndpoint {
	w.w.t.Helper()
	return w.DeliverTo(w.w.host(handler))
}

// Messages lists messages with their attempts, the first 500 unless the query says otherwise.
func (w Webhooks) Messages(query control.WebhookMessagesListQuery) []control.WebhookMessage {
	w.w.t.Helper()
	if query.Limit == 0 {
		query.Limit = maxRows
	}
	result, err := w.w.Operations.WebhookMessagesList(query)
	w.w.check(err)
	return result.Data
}

// Message returns a message with its attempts.
func (w Webhooks) Message(messageID string) control.WebhookMessage {
	w.w.t.Helper()
	result, err := w.w.Operations.WebhookMessagesGet(messageID)
	w.w.check(err)
	return result
}

// Wait waits up to ten seconds until messages were delivered, for worlds with a live clock.
func (w Webhooks) Wait(message control.WaitMessage) []control.WebhookMessage {
	w.w.t.Helper()
	result, err := w.w.Operations.Wait(control.Wait{Message: &message})
	w.w.check(err)
	return result.Messages
}

// Resend sends again now what was given up or waits for its next attempt, or one message, and returns how many.
func (w Webhooks) Resend(which control.WebhookResend) int {
	w.w.t.Helper()
	result, err := w.w.Operations.WebhookResend(&which)
	w.w.check(err)
	return result.Resent
}

// WebhookFaults deliver webhooks twice, late, out of order or with a wrong signature.
type WebhookFaults struct{ w *World }

// Get returns the webhook faults of the world and of its endpoints.
func (f WebhookFaults) Get() control.WebhookFaults {
	f.w.t.Helper()
	result, err := f.w.Operations.WebhookFaultsGet(control.WebhookFaultsGetQuery{})
	f.w.check(err)
	return result
}

// Set replaces all webhook faults of the world, or of one endpoint.
func (f WebhookFaults) Set(rules control.WebhookFaultsInput) control.WebhookFaults {
	f.w.t.Helper()
	result, err := f.w.Operations.WebhookFaultsPut(rules)
	f.w.check(err)
	return result
}

// Clear removes all webhook faults.
func (f WebhookFaults) Clear() {
	f.w.t.Helper()
	f.w.check(f.w.Operations.WebhookFaultsDelete(control.WebhookFaultsDeleteQuery{}))
}

// Endpoints are where webhooks are delivered to.
type Endpoints struct{ w *World }

// List lists them.
func (e Endpoints) List() []control.WebhookEndpoint {
	e.w.t.Helper()
	result, err := e.w.Operations.WebhookEndpointsList()
	e.w.check(err)
	return result.Data
}

// Change changes one.
func (e Endpoints) Change(endpointID string, change control.WebhookEndpointPatch) control.WebhookEndpoint {
	e.w.t.Helper()
	result, err := e.w.Operations.WebhookEndpointsPatch(endpointID, change)
	e.w.check(err)
	return result
}

// Remove removes one.
func (e Endpoints) Remove(endpointID string) {
	e.w.t.Helper()
	e.w.check(e.w.Operations.WebhookEndpointsDelete(endpointID))
}

// RotateSecret gives one a new secret; the old one also signs for a day.
func (e Endpoints) RotateSecret(endpointID string) control.RotatedWebhookEndpoint {
	e.w.t.Helper()
	result, err := e.w.Operations.WebhookEndpointsRotateSecret(endpointID, nil)
	e.w.check(err)
	return result
}

// Requests are the calls of the program under test.
type Requests struct{ w *World }

// List lists calls, the first 500 unless the query says otherwise.
func (r Requests) List(query control.RequestsListQuery) []control.RequestSummary {
	r.w.t.Helper()
	if query.Limit == 0 {
		query.Limit = maxRows
	}
	result, err := r.w.Operations.RequestsList(query)
	r.w.check(err)
	return result.Data
}

// Get returns a call with what it caused.
func (r Requests) Get(requestID string) control.Request {
	r.w.t.Helper()
	result, err := r.w.Operations.RequestsGet(requestID)
	r.w.check(err)
	return result
}

// Wait waits up to ten seconds for a call.
func (r Requests) Wait(request control.WaitRequest) []control.RequestSummary {
	r.w.t.Helper()
	result, err := r.w.Operations.Wait(control.Wait{Request: &request})
	r.w.check(err)
	return result.Requests
}

// Clear forgets them.
func (r Requests) Clear() {
	r.w.t.Helper()
	r.w.check(r.w.Operations.RequestsDelete())
}

// Fault makes calls of an operation fail.
type Fault = control.FaultsInputFaultsItem

// FaultResponse is what a call is answered with.
type FaultResponse = control.FaultsInputFaultsItemRespond

// Faults make calls fail.
type Faults struct{ w *World }

// List lists them.
func (f Faults) List() []control.Fault {
	f.w.t.Helper()
	result, err := f.w.Operations.FaultsGet()
	f.w.check(err)
	return result.Faults
}

// Set replaces them.
func (f Faults) Set(faults ...Fault) []control.Fault {
	f.w.t.Helper()
	result, err := f.w.Operations.FaultsPut(control.FaultsInput{Faults: faults})
	f.w.check(err)
	return result.Faults
}

// Clear removes them.
func (f Faults) Clear() {
	f.w.t.Helper()
	f.w.check(f.w.Operations.FaultsDelete())
}

// Snapshots are states of a world with a name.
type Snapshots struct{ w *World }

// List lists them.
func (s Snapshots) List() []control.Snapshot {
	s.w.t.Helper()
	result, err := s.w.Operations.SnapshotsList()
	s.w.check(err)
	return result.Data
}

// Save saves the state of the world.
func (s Snapshots) Save(name string) {
	s.w.t.Helper()
	_, err := s.w.Operations.SnapshotsPut(name)
	s.w.check(err)
}

// Restore makes the world as it was.
func (s Snapshots) Restore(name string) {
	s.w.t.Helper()
	_, err := s.w.Operations.SnapshotsRestore(name)
	s.w.check(err)
}

// Remove deletes one.
func (s Snapshots) Remove(name string) {
	s.w.t.Helper()
	s.w.check(s.w.Operations.SnapshotsDelete(name))
}

// State is the whole state of a world.
type State struct{ w *World }

// Export returns the state, as JSON.
func (s State) Export() (result json.RawMessage) {
	s.w.t.Helper()
	s.w.check(s.w.caller.Call(s.w.ctx, "GET", "/_petri/state", nil, &result))
	return result
}

// Import replaces the state of the world.
func (s State) Import(state json.RawMessage) {
	s.w.t.Helper()
	s.w.check(s.w.caller.Call(s.w.ctx, "PUT", "/_petri/state", state, nil))
}
