// Package failing has tests that fail; what go test prints of them is compared with the file output.txt.
package failing

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
	"github.com/example/petri-sandbox/clients/go/petritest"
)

// start returns a world with the same ids in each run.
func start(t *testing.T) *petritest.World {
	t.Parallel()
	return petritest.Start(t, petritest.WithNow("2026-01-05T09:00:00Z"), petritest.WithSeed("failing"))
}

// deliver lets a handler have the webhook of an order.
func deliver(world *petritest.World, handle http.HandlerFunc) {
	world.Webhooks.DeliverToHandler(handle)
	world.Orders.Place(control.OrderPlacing{})
	world.Clock.Settle()
}

func TestAsksForAnOrderThatIsNot(t *testing.T) {
	// Before the others, which run in parallel, because each would have the call with a wrong key.
	world := petritest.Start(t, petritest.WithNow("2026-01-05T09:00:00Z"), petritest.WithSeed("failing"))
	world.Users.Create("ada")
	world.Fetch("GET", "/v2/user/ada", nil)
	deliver(world, func(http.ResponseWriter, *http.Request) {})
	request, _ := http.NewRequest("GET", world.URL+"/v2/user/ada", nil)
	request.Header.Set("x-vital-api-key", "sk_us_wrong")
	if response, err := http.DefaultClient.Do(request); err == nil {
		response.Body.Close()
	}
	world.Orders.Get("00000000-0000-4000-8000-000000000000")
}

func TestMovesAnOrderWhereItCannotGo(t *testing.T) {
	world := start(t)
	world.Orders.Move(world.Orders.Place(control.OrderPlacing{}).ID, "no_such_status")
}

func TestPanicsInAHandler(t *testing.T) {
	deliver(start(t), func(http.ResponseWriter, *http.Request) { panic("boom") })
}

func TestIsFatalInAHandler(t *testing.T) {
	deliver(start(t), func(http.ResponseWriter, *http.Request) { t.Fatal("never") })
}

func TestHangsInAHandler(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	deliver(start(t), func(http.ResponseWriter, *http.Request) { <-block })
}

func TestIsInterruptedInAnAdvance(t *testing.T) {
	hanging := hanging(t)
	world := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	world.Webhooks.DeliverTo(hanging)
	world.Orders.Place(control.OrderPlacing{})
	world.WithContext(ctx).Clock.Advance("30d")
}

// hanging is a receiver that answers when the world of the test has ended.
func hanging(t *testing.T) string {
	block := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-block }))
	t.Cleanup(func() { close(block); server.Close() })
	return server.URL
}

func TestClosesItsWorldTwice(t *testing.T) {
	world := start(t)
	world.Close()
	world.Close()
	world.Users.Create("ada")
}

func TestPassesBesideThem(t *testing.T) {
	world := start(t)
	deliver(world, func(http.ResponseWriter, *http.Request) {})
	world.Close()
}
