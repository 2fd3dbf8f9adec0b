/** What a generated test is about. */
export interface TestedIncident {
  /** Of the scenario. */
  readonly name: string
  /** The name of the scenario's file, which lies beside the test. */
  readonly file: string
  readonly isRegistrable: boolean
  /** The event types and statuses of the webhooks, in the order in which they are delivered. */
  readonly webhooks: readonly DeliveredWebhook[]
}

export type DeliveredWebhook = readonly [eventType: string, status: string | null]

interface Template {
  /** The name of the test's file. */
  fileOf(name: string): string
  textOf(incident: TestedIncident): string
}

interface JavaScriptRunner {
  readonly extension: string
  readonly run: string
  readonly imports: readonly string[]
  /** The folder of the test. */
  readonly folder: string
  equal(actual: string, expected: string): string
}

const moduleImports = [
  `import { readFileSync } from 'node:fs'`,
  `import { join } from 'node:path'`,
  `import { startPetri } from 'petri-sandbox'`,
]

const expectEqual = (actual: string, expected: string) => `expect(${actual}).toEqual(${expected})`

/** How a test is written for each framework. */
const runners = {
  vitest: {
    extension: 'test.js',
    run: 'npx vitest run',
    imports: [...moduleImports, `import { expect, it } from 'vitest'`],
    folder: 'import.meta.dirname',
    equal: expectEqual,
  },
  jest: {
    extension: 'test.cjs',
    run: 'npx jest',
    imports: [
      `const { readFileSync } = require('node:fs')`,
      `const { join } = require('node:path')`,
      `const { startPetri } = require('petri-sandbox')`,
    ],
    folder: '__dirname',
    equal: expectEqual,
  },
  node: {
    extension: 'test.mjs',
    run: 'node --test',
    imports: [
      `import assert from 'node:assert/strict'`,
      ...moduleImports.slice(0, 2),
      `import { it } from 'node:test'`,
      ...moduleImports.slice(2),
    ],
    folder: 'import.meta.dirname',
    equal: (actual: string, expected: string) => `assert.deepEqual(${actual}, ${expected})`,
  },
} satisfies Record<string, JavaScriptRunner>

/** The frameworks and languages in which a test can be written. */
export const testTemplates = {
  vitest: javaScript(runners.vitest),
  jest: javaScript(runners.jest),
  node: javaScript(runners.node),
  pytest: { fileOf: (name) => `test_${name.replaceAll('-', '_')}.py`, textOf: pythonText },
  go: { fileOf: (name) => `${name.replaceAll('-', '_')}_test.go`, textOf: goText },
} satisfies Record<string, Template>

export type TestKind = keyof typeof testTemplates

function javaScript(runner: JavaScriptRunner): Template {
  const fileOf = (name: string) => `${name}.${runner.extension}`
  return { fileOf, textOf: (incident) => javaScriptText(runner, fileOf(incident.name), incident) }
}

const javaScriptText = (
  { run, imports, folder, equal }: JavaScriptRunner,
  testFile: string,
  { name, file, isRegistrable, webhooks }: TestedIncident,
) => `// Repeats the incident ${name}: ${run} ${testFile}
${imports.join('\n')}

// Your handler: replace the body. Petri signs each webhook with the secret.
async function handle(request, secret) {
  return new Response(null, { status: 204 })
}

// The webhooks of the incident, in the order in which they came.
const webhooks = [
${lines(webhooks, (type, status) => `  [${quoted(type)}, ${status === null ? 'null' : quoted(status)}],`)}
]

it('accepts the webhooks of ${name}', async () => {
  const petri = await startPetri()
  const accepted = []
  await petri.scenarios.add('${name}', readFileSync(join(${folder}, ${quoted(file)}), 'utf8'))
  await petri.webhooks.deliverTo(async (request) => {
    const { event_type, data } = await request.clone().json()
    const response = await handle(request, petri.webhookSecret)
    if (response.ok) accepted.push([event_type, (data.last_event ?? data).status ?? null])
    return response
  })
  await petri.orders.place({ scenario: '${name}'${isRegistrable ? ', registrable: true' : ''} })
  await petri.clock.advance({ until: 'idle' })
  await petri.close()
  ${equal('accepted', 'webhooks')}
  // Assert here what your program made of them. ${ending(webhooks)}
})
`

/** What a test of a history is about. */
interface TestedHistory {
  /** Of the scenario. */
  readonly name: string
  /** The name of the scenario's file, which lies beside the test. */
  readonly file: string
  readonly problem: string
}

/** The test of a history that `petri explore` has found, for vitest. */
export function historyTestText({ name, file, problem }: TestedHistory): { file: string; text: string } {
  const { run, extension, imports, folder } = runners.vitest
  const testFile = `${name}.${extension}`
  const text = `// Plays again what petri explore has found: ${run} ${testFile}
${imports.join('\n').replace('{ expect, it }', '{ it }')}

// Your handler: replace the body. Petri signs each webhook with the secret.
async function handle(request, secret) {
  return new Response(null, { status: 204 })
}

// ${problem.replace(/\s+/g, ' ')}
it('is right after ${name}', async () => {
  const petri = await startPetri()
  const scenario = readFileSync(join(${folder}, ${quoted(file)}), 'utf8')
  await petri.replay(scenario, async ({ world, history }) => {
    await world.webhooks.deliverTo((request) => handle(request, world.webhookSecret))
    await history.play()
    // Assert here what your program made of history.orders.
  })
  await petri.close()
})
`
  return { file: testFile, text }
}

function pythonText({ name, file, isRegistrable, webhooks }: TestedIncident): string {
  return `"""Repeats the incident ${name}.

Needs a Petri at PETRI_URL. If it runs in a container, RECEIVER_HOST is the name by which it reaches this machine.
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import Request, urlopen


def handle(body, headers, secret):
    """Your handler: replace the body. Returns the HTTP status. Petri signs each webhook with the secret."""
    return 204


# The webhooks of the incident, in the order in which they came.
WEBHOOKS = [
${lines(webhooks, (type, status) => `    (${JSON.stringify(type)}, ${status === null ? 'None' : JSON.stringify(status)}),`)}
]


def call(method, path, body, **headers):
    url = os.environ.get("PETRI_URL", "http://127.0.0.1:4080") + path
    headers["content-type"] = "application/json"
    with urlopen(Request(url, json.dumps(body).encode(), headers, method=method)) as response:
        return json.loads(response.read() or "null")


def test_${name.replaceAll('-', '_')}():
    token = os.environ.get("PETRI_CONTROL_TOKEN")
    control = {"authorization": f"Bearer {token}"} if token else {}
    world = call("POST", "/_petri/worlds", {"frozen": True}, **control)
    key = {"x-service-api-key": world["api_key"]}
    accepted = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            status = handle(body, self.headers, world["webhook_secret"])
            event = json.loads(body)
            if status < 300:
                data = event["data"].get("last_event") or event["data"]
                accepted.append((event["event_type"], data.get("status")))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            pass

    host = os.environ.get("RECEIVER_HOST", "127.0.0.1")
    receiver = ThreadingHTTPServer(("127.0.0.1" if host == "127.0.0.1" else "0.0.0.0", 0), Receiver)
    Thread(target=receiver.serve_forever, daemon=True).start()
    try:
        source = Path(__file__).with_name(${JSON.stringify(file)}).read_text()
        call("PUT", "/_petri/scenarios/${name}", {"source": source}, **key)
        call("POST", "/_petri/webhooks/endpoints", {"url": f"http://{host}:{receiver.server_port}/"}, **key)
        call("POST", "/_petri/orders", {"scenario": "${name}", "registrable": ${isRegistrable ? 'True' : 'False'}}, **key)
        call("POST", "/_petri/clock/advance", {"until": "idle"}, **key)
    finally:
        call("DELETE", f"/_petri/worlds/{world['team_id']}", None, **control)
        receiver.shutdown()
    assert accepted == WEBHOOKS
    # Assert here what your program made of them. ${ending(webhooks)}
`
}

function goText({ name, file, isRegistrable, webhooks }: TestedIncident): string {
  const title = name.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase())
  return `// Repeats the incident ${name}.
//
// Needs a Petri at PETRI_URL. If it runs in a container, RECEIVER_HOST is the name by which it reaches this machine.
package incidents

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// Your handler: replace the body. It returns the HTTP status. Petri signs each webhook with the secret.
func handle${title}(body []byte, header http.Header, secret string) int {
	return http.StatusNoContent
}

func Test${title}(t *testing.T) {
	// The webhooks of the incident, in the order in which they came.
	webhooks := [][2]string{
${lines(webhooks, (type, status) => `\t\t{${JSON.stringify(type)}, ${JSON.stringify(status ?? '')}},`)}
	}
	env := func(name, fallback string) string {
		if value := os.Getenv(name); value != "" {
			return value
		}
		return fallback
	}
	call := func(method, path, header, value string, body any) (answer map[string]any) {
		sent, _ := json.Marshal(body)
		request, err := http.NewRequest(method, env("PETRI_URL", "http://127.0.0.1:4080")+path, bytes.NewReader(sent))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("content-type", "application/json")
		request.Header.Set(header, value)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		received, _ := io.ReadAll(response.Body)
		if response.StatusCode >= 300 {
			t.Fatalf("%s %s answered %d: %s", method, path, response.StatusCode, received)
		}
		_ = json.Unmarshal(received, &answer)
		return answer
	}
	control := strings.TrimSpace("Bearer " + os.Getenv("PETRI_CONTROL_TOKEN"))
	world := call("POST", "/_petri/worlds", "authorization", control, map[string]any{"frozen": true})
	defer call("DELETE", "/_petri/worlds/"+world["team_id"].(string), "authorization", control, nil)

	var lock sync.Mutex
	accepted := [][2]string{}
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		status := handle${title}(body, request.Header, world["webhook_secret"].(string))
		type state struct {
			Status string \`json:"status"\`
		}
		var event struct {
			Type string \`json:"event_type"\`
			Data struct {
				state
				LastEvent *state \`json:"last_event"\`
			} \`json:"data"\`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			t.Error(err)
		}
		reached := event.Data.Status
		if event.Data.LastEvent != nil {
			reached = event.Data.LastEvent.Status
		}
		lock.Lock()
		defer lock.Unlock()
		if status < 300 {
			accepted = append(accepted, [2]string{event.Type, reached})
		}
		writer.WriteHeader(status)
	}))
	host, address := env("RECEIVER_HOST", "127.0.0.1"), "127.0.0.1:0"
	if host != "127.0.0.1" {
		address = "0.0.0.0:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	receiver.Listener = listener
	receiver.Start()
	defer receiver.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())

	source, err := os.ReadFile(${JSON.stringify(file)})
	if err != nil {
		t.Fatal(err)
	}
	key := world["api_key"].(string)
	call("PUT", "/_petri/scenarios/${name}", "x-service-api-key", key, map[string]any{"source": string(source)})
	call("POST", "/_petri/webhooks/endpoints", "x-service-api-key", key, map[string]any{"url": "http://" + host + ":" + port + "/"})
	call("POST", "/_petri/orders", "x-service-api-key", key, map[string]any{"scenario": "${name}", "registrable": ${isRegistrable}})
	call("POST", "/_petri/clock/advance", "x-service-api-key", key, map[string]any{"until": "idle"})
	lock.Lock()
	defer lock.Unlock()
	if !reflect.DeepEqual(accepted, webhooks) {
		t.Fatalf("accepted %v\\nexpected %v", accepted, webhooks)
	}
	// Assert here what your program made of them. ${ending(webhooks)}
}
`
}

/** The last status of the order itself. */
const ending = (webhooks: readonly DeliveredWebhook[]) =>
  `The order ended ${webhooks.findLast(([type]) => type.startsWith('labtest.order.'))?.[1]}.`

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const lines = (
  webhooks: readonly DeliveredWebhook[],
  write: (type: string, status: string | null) => string,
) => webhooks.map(([type, status]) => write(type, status)).join('\n')
