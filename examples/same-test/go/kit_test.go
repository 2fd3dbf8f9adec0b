package kits

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/example/petri-sandbox/clients/go/control"
	"github.com/example/petri-sandbox/clients/go/petritest"
)

// program is under test: it handles each webhook once, however often it comes.
type program struct {
	statuses, alarms []string
	handled          map[string]bool
}

func (p *program) handle(webhook petritest.Received) int {
	var order control.Order
	if !strings.HasPrefix(webhook.EventType, "labtest.order.") || p.handled[webhook.ID] {
		return http.StatusNoContent
	}
	if json.Unmarshal(webhook.Data, &order) != nil {
		return http.StatusBadRequest
	}
	p.handled[webhook.ID] = true
	p.statuses = append(p.statuses, order.LastEvent.Status)
	if order.Interpretation == "critical" {
		p.alarms = append(p.alarms, order.ID)
	}
	return http.StatusNoContent
}

func TestAlarmsOnceForACriticalResultAfterAProblemInTransit(t *testing.T) {
	petri := petritest.Start(t, petritest.WithNow("2026-01-05T09:00:00Z"))
	program, receiver := &program{handled: map[string]bool{}}, petri.Receiver()
	receiver.Handle = program.handle
	petri.Webhooks.DeliverTo(receiver.URL)
	petri.Webhooks.Faults.Set(control.WebhookFaultsInput{Duplicate: petritest.Ptr(1)})
	order := petri.Orders.Place(control.OrderPlacing{Scenario: "problem-in-transit-customer"})
	petri.Clock.Advance("5d")
	last := func() string { return program.statuses[len(program.statuses)-1] }
	if last() != "collecting_sample.testkit.problem_in_transit_customer" {
		t.Errorf("the order is %s", last())
	}
	results := &control.MoveResults{Interpretation: "critical"}
	petri.Orders.MoveWith(order.ID, control.Move{Status: "completed", Results: results, Force: petritest.Ptr(true)})
	petri.Clock.Settle()
	if last() != "completed.testkit.completed" || len(program.alarms) != 1 || program.alarms[0] != order.ID {
		t.Errorf("the order is %s, alarms: %v", last(), program.alarms)
	}
	if len(receiver.Received()) <= len(program.handled) || len(receiver.Refused()) > 0 {
		t.Errorf("%d deliveries, refused: %v", len(receiver.Received()), receiver.Refused())
	}
}
