package petritest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/example/petri-sandbox/clients/go/control"
)

// Refusal is an error response of Petri.
type Refusal struct {
	// Call is what was refused, such as "GET /v3/order/1".
	Call   string
	Status int
	// Body is the parsed JSON, or the text if it is none.
	Body any
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s answered %d: %s", r.Call, r.Status, textOf(r.Body))
}

// textOf has the explanation first, then what else Petri says.
func textOf(body any) string {
	fields, isObject := body.(map[string]any)
	if !isObject {
		return plain(body)
	}
	lines := []string{plain(fields["detail"])}
	if issues, isList := fields["detail"].([]any); isList {
		lines = nil
		for _, each := range issues {
			lines = append(lines, issue(each))
		}
	}
	for _, name := range sortedKeys(fields) {
		if name != "detail" {
			lines = append(lines, "  "+name+":"+others(fields[name]))
		}
	}
	return strings.Join(lines, "\n")
}

// others is a timeline with a line for each entry, or a value on the same line.
func others(value any) string {
	entries, _ := value.([]any)
	var lines strings.Builder
	for _, each := range entries {
		entry, _ := each.(map[string]any)
		if entry["at"] == nil || entry["what"] == nil {
			return " " + plain(value)
		}
		fmt.Fprintf(&lines, "\n    %v  %v", entry["at"], entry["what"])
	}
	if len(entries) == 0 {
		return " " + plain(value)
	}
	return lines.String()
}

// plain is a text as it is, a list of texts with commas, and other JSON.
func plain(value any) string {
	var texts []string
	items, isList := value.([]any)
	for _, each := range items {
		if text, isText := each.(string); isText {
			texts = append(texts, text)
		}
	}
	switch text, isText := value.(string); {
	case isText:
		return text
	case value == nil || isList && len(items) == 0:
		return "nothing"
	case isList && len(texts) == len(items):
		return strings.Join(texts, ", ")
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// issue is what is wrong with a field of a request.
func issue(value any) string {
	fields, _ := value.(map[string]any)
	location, isList := fields["loc"].([]any)
	if fields["msg"] == nil || !isList {
		return plain(value)
	}
	path := make([]string, len(location))
	for i, part := range location {
		path[i] = fmt.Sprint(part)
	}
	return fmt.Sprintf("%s: %v", strings.Join(path, "."), fields["msg"])
}

// caller sends calls with the same headers.
type caller struct {
	url     string
	headers map[string]string
	// process is the Petri that this process has started; nil for others.
	process *process
	// ended is set when the world of the calls has ended.
	ended *atomic.Bool
	// placed are the orders of the test, because calls of the control API are not recorded.
	placed *placed
}

// placed are the orders that a test has placed.
type placed struct {
	lock   sync.Mutex
	orders []control.PlacedOrder
}

func (p *placed) add(text []byte) {
	var order control.PlacedOrder
	if json.Unmarshal(text, &order) != nil {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.orders = append(p.orders, order)
}

func (p *placed) list() []control.PlacedOrder {
	p.lock.Lock()
	defer p.lock.Unlock()
	return append([]control.PlacedOrder(nil), p.orders...)
}

// callTimeout is the time in which a call is answered.
const callTimeout = time.Minute

// longCalls last until the world is where it should be; the context of the test ends them.
var longCalls = map[string]bool{"/_petri/clock/advance": true, "/_petri/wait": true}

// A proxy of the environment would not reach this machine.
var client = &http.Client{Transport: directTransport()}

func directTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	return transport
}

// Call sends a call, and reads its JSON into the result unless that is nil.
func (c *caller) Call(ctx context.Context, method, path string, body, result any) error {
	response, err := c.fetch(ctx, method, path, body)
	if err != nil {
		return err
	}
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		var parsed any
		if json.Unmarshal(text, &parsed) != nil {
			parsed = string(text)
		}
		return &Refusal{Call: method + " " + path, Status: response.StatusCode, Body: parsed}
	}
	if c.placed != nil && method == "POST" && path == "/_petri/orders" {
		c.placed.add(text)
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, result); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

func (c *caller) fetch(ctx context.Context, method, path string, body any) (*http.Response, error) {
	if c.ended != nil && c.ended.Load() {
		return nil, errors.New("this world has ended: its test is over, or has closed it")
	}
	if strings.Contains(path, "//") || strings.HasSuffix(path, "/") {
		return nil, fmt.Errorf("%s %s: an id or name is empty", method, path)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if !longCalls[path] {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTimeout)
		defer cancel()
	}
	var sent io.Reader
	if !isNil(body) {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, sent)
	if err != nil {
		return nil, err
	}
	if sent != nil {
		request.Header.Set("content-type", "application/json")
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err == nil {
		// The whole body, because the context ends here.
		var text []byte
		text, err = io.ReadAll(response.Body)
		response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(text))
	}
	if err != nil {
		return nil, c.noAnswer(ctx, method+" "+path, err)
	}
	return response, nil
}

// endTimeout is the time after which a Petri that does not answer has not ended.
const endTimeout = 5 * time.Second

// noAnswer is why there is none: the end of Petri, which may be noticed later than its silence.
func (c *caller) noAnswer(ctx context.Context, call string, err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if c.process != nil {
		select {
		case <-c.process.ended:
			err = errors.New(c.process.end())
			if c.ended == nil {
				// Otherwise the end of the world tells them.
				err = fmt.Errorf("%w. Its last lines:\n%s", err, c.process.lastLines())
			}
		case <-ctx.Done():
		case <-time.After(endTimeout):
		}
	}
	return fmt.Errorf("%s: no answer from %s: %w", call, c.url, err)
}
