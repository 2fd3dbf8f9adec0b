package petritest

import (
	"net/http"

	"github.com/example/petri-sandbox/clients/go/control"
)

// DeliverToHandler delivers webhooks to a handler in this process, until the end of the test. If it panics, ends the test or does not
// answer within 15 seconds, the test fails.
func (k Webhooks) DeliverToHandler(handler http.Handler) control.AddedWebhookEndpoint {
	k.w.t.Helper()
	if isNil(handler) {
		k.w.t.Fatal("DeliverToHandler needs a handler; it got nil.")
	}
	return k.DeliverTo(k.w.host(handler))
}
