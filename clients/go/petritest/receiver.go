package petritest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Received is a webhook whose signature is right.
type Received struct {
	ID, EventType string
	Data          json.RawMessage
	Header        http.Header
	Body          []byte
}

// Receiver verifies and keeps webhooks.
type Receiver struct {
	URL string
	// Handle is called with one webhook at a time, if set before the first; it returns the status to answer with. If it panics, ends
	// the test or does not answer within 15 seconds, the test fails.
	Handle func(Received) int

	secret   string
	lock     sync.Mutex
	received []Received
	refused  []string
	handling sync.Mutex
}

// Received returns the webhooks in the order of their arrival, duplicates included.
func (r *Receiver) Received() []Received {
	r.lock.Lock()
	defer r.lock.Unlock()
	return append([]Received(nil), r.received...)
}

// Refused returns why others were refused.
func (r *Receiver) Refused() []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return append([]string(nil), r.refused...)
}

// Events returns the webhooks of a type, or of all types if that is empty; each once, however often it was delivered.
func (r *Receiver) Events(eventType string) []Received {
	var once []Received
	seen := map[string]bool{}
	for _, each := range r.Received() {
		if !seen[each.ID] && (eventType == "" || each.EventType == eventType) {
			once = append(once, each)
		}
		seen[each.ID] = true
	}
	return once
}

// Data returns the data of the webhooks of a type, each once, such as Data[control.Order](receiver, "labtest.order.updated").
func Data[T any](receiver *Receiver, eventType string) ([]T, error) {
	var all []T
	for _, each := range receiver.Events(eventType) {
		var data T
		if err := json.Unmarshal(each.Data, &data); err != nil {
			return nil, fmt.Errorf("the data of %s: %w", each.EventType, err)
		}
		all = append(all, data)
	}
	return all, nil
}

// ServeHTTP answers 401 to a webhook whose signature is wrong.
func (r *Receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err == nil {
		err = Verify(r.secret, request.Header, body)
	}
	var event struct {
		EventType string          `json:"event_type"`
		Data      json.RawMessage `json:"data"`
	}
	if err == nil {
		err = json.Unmarshal(body, &event)
	}
	if err != nil {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.refused = append(r.refused, err.Error())
		// The journal has the reason, because Petri keeps what a receiver answers.
		http.Error(response, err.Error(), http.StatusUnauthorized)
		return
	}
	received := Received{request.Header.Get("svix-id"), event.EventType, event.Data, request.Header, body}
	r.lock.Lock()
	r.received = append(r.received, received)
	r.lock.Unlock()
	status := http.StatusNoContent
	if r.Handle != nil {
		r.handling.Lock()
		defer r.handling.Unlock()
		status = r.Handle(received)
	}
	response.WriteHeader(status)
}

// How much a timestamp may differ from the clock of this machine.
const tolerance = 5 * time.Minute

// Verify returns an error unless the headers sign this body with this secret, and not long ago.
func Verify(secret string, header http.Header, body []byte) error {
	for _, name := range []string{"svix-id", "svix-timestamp", "svix-signature"} {
		if header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	seconds, err := strconv.ParseInt(header.Get("svix-timestamp"), 10, 64)
	age := time.Since(time.Unix(seconds, 0))
	if err != nil || age > tolerance || age < -tolerance {
		return errors.New("the timestamp of the webhook is too old or too new")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return fmt.Errorf("the secret is not of the form whsec_…: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("svix-id"), header.Get("svix-timestamp"), body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Fields(header.Get("svix-signature")) {
		if hmac.Equal(expected, []byte(signature)) {
			return nil
		}
	}
	return errors.New("no signature of the webhook matches its body and the secret")
}
