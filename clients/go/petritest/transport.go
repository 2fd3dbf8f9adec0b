package petritest

import (
	"net/http"
	"net/url"
)

// transport leads calls to the hosts of the live service to a world.
type transport struct {
	target *url.URL
	apiKey string
	next   http.RoundTripper
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if !liveHosts[request.URL.Hostname()] {
		return t.next.RoundTrip(request)
	}
	led := request.Clone(request.Context())
	led.URL.Scheme, led.URL.Host, led.Host = t.target.Scheme, t.target.Host, ""
	for _, header := range []string{"x-vital-api-key", "x-service-api-key"} {
		if led.Header.Get(header) != "" {
			led.Header.Set(header, t.apiKey)
		}
	}
	return t.next.RoundTrip(led)
}
