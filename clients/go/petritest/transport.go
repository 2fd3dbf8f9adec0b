package petritest

import (
	"net/http"
	"net/url"
	"regexp"
)

// transport leads calls to the hosts of the live service to a world. Others go where they would without it.
type transport struct {
	target *url.URL
	apiKey string
	direct http.RoundTripper
}

// bearerKey is an API key in place of the token of a user.
var bearerKey = regexp.MustCompile(`(?i)^bearer [sp]k_`)

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if !liveHosts[request.URL.Hostname()] {
		return http.DefaultTransport.RoundTrip(request)
	}
	led := request.Clone(request.Context())
	led.URL.Scheme, led.URL.Host, led.Host = t.target.Scheme, t.target.Host, ""
	isBearer := bearerKey.MatchString(led.Header.Get("authorization"))
	if isBearer {
		led.Header.Del("authorization")
	}
	for _, header := range []string{"x-vital-api-key", "x-service-api-key"} {
		if led.Header.Get(header) != "" || isBearer {
			led.Header.Set(header, t.apiKey)
		}
	}
	return t.direct.RoundTrip(led)
}
