// Package petritest tests Go code against Petri, an offline sandbox of the Lab Testing and Health Data Service: a world for
// each test, with its own data, clock, key and webhooks.
package petritest

import (
	"testing"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
)

// Option is a setting of the world of a test.
type Option func(*control.NewWorld)

// WithScenario sets the scenario that orders follow unless they name another.
func WithScenario(name string) Option { return func(world *control.NewWorld) { world.Scenario = name } }

// WithNow sets where the clock stands at first, such as 2026-01-05T09:00:00Z.
func WithNow(instant string) Option { return func(world *control.NewWorld) { world.Now = instant } }

// WithTime sets where the clock stands at first.
func WithTime(now time.Time) Option { return WithNow(now.Format(time.RFC3339Nano)) }

// WithSeed sets what all ids, names and numbers follow from.
func WithSeed(seed string) Option { return func(world *control.NewWorld) { world.Seed = seed } }

// WithLike gives the world the settings of a team of the live service: "sandbox" or "production".
func WithLike(team string) Option { return func(world *control.NewWorld) { world.Like = team } }

// WithLiveClock lets time pass by itself; scenarios run pace times as fast as the clock.
func WithLiveClock(pace float64) Option {
	return func(world *control.NewWorld) { world.Frozen, world.Pace = Ptr(false), &pace }
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Start returns a world for this test, whose clock is frozen. It ends with the test. A failed test logs its journal.
//
// All tests of a process share one Petri: that of PETRI_URL, one that runs in the folder .petri here or above, or one that is
// started with PETRI_COMMAND, PETRI_IMAGE or petri-sandbox, and ends with the process.
func Start(t testing.TB, options ...Option) *World {
	t.Helper()
	server, err := find()
	if err != nil {
		t.Fatal(err)
	}
	return server.world(t, options)
}

// Connect returns a world for this test at a running Petri, such as one in a container. Its control token makes worlds.
func Connect(t testing.TB, url, controlToken string, options ...Option) *World {
	t.Helper()
	server, err := connect(url, controlToken, fromTest, nil)
	if err != nil {
		t.Fatal(err)
	}
	return server.world(t, options)
}

func (server *server) world(t testing.TB, options []Option) *World {
	t.Helper()
	settings := control.NewWorld{Frozen: Ptr(true)}
	for _, option := range options {
		if option == nil {
			t.Fatal("An option of the world is nil.")
		}
		option(&settings)
	}
	began := time.Now()
	ctx, cancel := contextOf(t)
	view, err := server.control.WithContext(ctx).WorldsMake(settings)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	world := newWorld(t, server, view, ctx, &ending{began: began, cancel: cancel})
	t.Cleanup(world.Close)
	return world
}
