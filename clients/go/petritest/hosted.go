package petritest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// slowAfter is the time after which a webhook that a handler has not answered is named. Petri hangs up after 15 seconds.
const slowAfter = 3 * time.Second

// hosted is a handler of the test behind an HTTP server. What fails in it fails the test.
type hosted struct {
	url     string
	handler http.Handler
	server  *http.Server

	lock sync.Mutex
	// unanswered are the event types that the handler is at.
	unanswered []string
	failure    string
	hasHung    bool
}

// host serves a handler where Petri reaches it.
func host(handler http.Handler, receiverHost string) (*hosted, error) {
	address := loopback + ":0"
	if receiverHost != loopback {
		// From a container, Petri does not reach loopback.
		address = ":0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, err
	}
	served := &hosted{url: "http://" + net.JoinHostPort(receiverHost, port), handler: handler}
	served.server = &http.Server{Handler: served}
	go served.server.Serve(listener)
	return served, nil
}

// close does not wait for the handler. It returns what has failed in it first, if anything.
func (h *hosted) close() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.failure == "" && len(h.unanswered) > 0 {
		h.failure = "the handler of a receiver has not answered " + h.unanswered[0]
	}
	h.server.Close()
	return h.failure
}

// ServeHTTP runs the handler apart, because t.Fatal ends its goroutine.
func (h *hosted) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	event := eventTypeOf(body)
	if !h.begin(event) {
		http.Error(response, "the handler has not answered before", http.StatusInternalServerError)
		return
	}
	slow := time.AfterFunc(slowAfter, func() {
		fmt.Fprintf(os.Stderr, "Petri: the handler of a receiver has not answered %s for %s.\n", event, slowAfter)
	})
	defer slow.Stop()
	recorder, ended := httptest.NewRecorder(), make(chan string, 1)
	go func() {
		failure := "has ended its goroutine, as t.Fatal does"
		defer func() {
			if panicked := recover(); panicked != nil {
				failure = fmt.Sprintf("panicked: %v\n%s", panicked, debug.Stack())
			}
			ended <- failure
		}()
		h.handler.ServeHTTP(recorder, request)
		failure = ""
	}()
	failure, hasHung := "", false
	select {
	case failure = <-ended:
	case <-request.Context().Done():
		failure, hasHung = "has not answered "+event, true
	}
	h.end(event, failure, hasHung)
	if failure != "" {
		// Without the stack, which the test has.
		http.Error(response, strings.SplitN(failure, "\n", 2)[0], http.StatusInternalServerError)
		return
	}
	pass(recorder, response)
}

// begin notes that the handler is at a webhook. A handler that has not answered one is not asked again.
func (h *hosted) begin(event string) bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	if !h.hasHung {
		h.unanswered = append(h.unanswered, event)
	}
	return !h.hasHung
}

func (h *hosted) end(event, failure string, hasHung bool) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.hasHung = h.hasHung || hasHung
	if failure != "" && h.failure == "" {
		h.failure = "the handler of a receiver " + failure
	}
	for i, each := range h.unanswered {
		if each == event {
			h.unanswered = append(h.unanswered[:i], h.unanswered[i+1:]...)
			return
		}
	}
}

func pass(recorded *httptest.ResponseRecorder, response http.ResponseWriter) {
	for name, values := range recorded.Header() {
		response.Header()[name] = values
	}
	response.WriteHeader(recorded.Code)
	response.Write(recorded.Body.Bytes())
}

func eventTypeOf(body []byte) string {
	var event struct {
		EventType string `json:"event_type"`
	}
	if json.Unmarshal(body, &event) != nil || event.EventType == "" {
		return "a call"
	}
	return event.EventType
}
