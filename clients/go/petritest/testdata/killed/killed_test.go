// Package killed has a test whose Petri ends before it.
package killed

import (
	"testing"
	"time"

	"github.com/example/petri-sandbox/clients/go/petritest"
)

func TestItsPetriHasEnded(t *testing.T) {
	world := petritest.Start(t)
	if _, err := world.Operations.Stop(); err != nil {
		t.Fatal(err)
	}
	for started := time.Now(); time.Since(started) < 20*time.Second; {
		world.Describe()
	}
}
