import { type Caller, withQuery } from './caller.ts'
import type { Receiver, WebhooksKit } from './kit.ts'
import { allPages } from './pages.ts'
import type { Endpoint, Message } from './responses.ts'
import { waiting } from './wait.ts'

type Call = Caller['call']

const ENDPOINTS = '/_petri/webhooks/endpoints'
const MESSAGES = '/_petri/webhooks/messages'

export function webhooksKit(call: Call, toUrl: (target: string | Receiver) => Promise<string>): WebhooksKit {
  const message = (messageId: string) => `${MESSAGES}/${encodeURIComponent(messageId)}`
  return {
    deliverTo: async (target, options = {}) =>
      call<Endpoint>('POST', ENDPOINTS, { ...options, url: await toUrl(target) }),
    endpoints: endpointsKit(call),
    messages: (filter) => allPages<Message>(call, MESSAGES, filter),
    message: (messageId) => call<Message>('GET', message(messageId)),
    wait: async (filter = {}, options = {}) =>
      (await waiting<{ messages: Message[] }>(call, { message: filter }, options)).messages,
    resend: (messageId) => call<Message>('POST', `${message(messageId)}/resend`),
    async recover(since, options = {}) {
      const from = since instanceof Date ? since.toISOString() : since
      return (await call<{ resent: number }>('POST', '/_petri/webhooks/recover', { since: from, ...options }))
        .resent
    },
    async misbehave(rules) {
      await call('PUT', '/_petri/webhooks/delivery', rules)
    },
    behave: () => call('DELETE', '/_petri/webhooks/delivery'),
  }
}

function endpointsKit(call: Call): WebhooksKit['endpoints'] {
  const endpoint = (endpointId: string) => `${ENDPOINTS}/${encodeURIComponent(endpointId)}`
  return {
    list: async () => (await call<{ data: Endpoint[] }>('GET', withQuery(ENDPOINTS))).data,
    change: (endpointId, change) => call<Endpoint>('PATCH', endpoint(endpointId), change),
    remove: (endpointId) => call('DELETE', endpoint(endpointId)),
    rotateSecret: (endpointId, secret) =>
      call<Endpoint>('POST', `${endpoint(endpointId)}/rotate-secret`, secret === undefined ? {} : { secret }),
  }
}
