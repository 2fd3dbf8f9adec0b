package petritest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
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
		return fmt.Sprint(body)
	}
	lines := []string{plain(fields["detail"])}
	for _, name := range sortedKeys(fields) {
		if name != "detail" {
			lines = append(lines, fmt.Sprintf("  %s: %s", name, plain(fields[name])))
		}
	}
	return strings.Join(lines, "\n")
}

func plain(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var lines []string
		for _, each := range value {
			lines = append(lines, entry(each))
		}
		return strings.Join(lines, "\n")
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// entry is what is wrong with a field of a request.
func entry(value any) string {
	fields, _ := value.(map[string]any)
	message, isText := fields["msg"].(string)
	location, isList := fields["loc"].([]any)
	if !isText || !isList {
		text, _ := json.Marshal(value)
		return string(text)
	}
	path := make([]string, len(location))
	for i, part := range location {
		path[i] = fmt.Sprint(part)
	}
	return strings.Join(path, ".") + ": " + message
}

// caller sends calls with the same headers. A proxy of the environment would not reach this machine.
type caller struct {
	url     string
	headers map[string]string
}

// The time-out of a call; waits have one of their own.
var client = &http.Client{Timeout: time.Minute, Transport: directTransport()}

func directTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	return transport
}

// Call sends a call, and reads its JSON into the result unless that is nil.
func (c *caller) Call(method, path string, body, result any) error {
	response, err := c.fetch(method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode >= 300 {
		var parsed any
		if json.Unmarshal(text, &parsed) != nil {
			parsed = string(text)
		}
		return &Refusal{Call: method + " " + path, Status: response.StatusCode, Body: parsed}
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, result); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

func (c *caller) fetch(method, path string, body any) (*http.Response, error) {
	var sent io.Reader
	if !isNil(body) {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.url+path, sent)
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
	if err != nil {
		return nil, fmt.Errorf("no answer from %s: %w", c.url, err)
	}
	return response, nil
}
