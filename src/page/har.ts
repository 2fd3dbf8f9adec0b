import { wallNow } from './api.ts'
import type { CallInFull } from './responses.ts'

/** The call in the format of browsers' network tools. */
export function harOf({ method, path, status, headers, body, response, duration_ms }: CallInFull) {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const entry = {
    startedDateTime: new Date(wallNow()).toISOString(),
    time: duration_ms,
    request: {
      ...{
        method,
        url: `${location.origin}${path}`,
        httpVersion: 'HTTP/1.1',
        headers: list,
        queryString: [],
        cookies: [],
        headersSize: -1,
        bodySize: -1,
      },
      ...(body !== null && { postData: { mimeType: 'application/json', text: text(body) } }),
    },
    response: {
      ...{
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        headers: [],
        cookies: [],
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      content: { size: -1, mimeType: 'application/json', text: text(response) },
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
  }
  return { log: { version: '1.2', creator: { name: 'Petri', version: '1' }, entries: [entry] } }
}
