import { operation } from '../../api/operation.ts'
import { runInSlices } from '../../kernel/slices.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { clearWebhookFaults, setWebhookFaults } from '../../webhooks/faults.ts'
import { assertKnownTypes } from '../../webhooks/fields.ts'
import * as messages from '../../webhooks/messages.ts'
import { isInContainer, whyUnreachable } from '../../webhooks/outgoing.ts'
import { earlierWorkDone } from '../../world/earlier-work.ts'
import type { World } from '../../world/world.ts'
import {
  AddedWebhookEndpoint,
  EndpointPath,
  EventPath,
  MessagePath,
  NewWebhookEndpoint,
  Reachability,
  Resend,
  Resent,
  RotatedWebhookEndpoint,
  RotateSecret,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointPatch,
  WebhookEvent,
  WebhookFaults,
  WebhookFaultsInput,
  WebhookFaultsQuery,
  WebhookMessage,
  WebhookMessageList,
  WebhookMessageQuery,
} from './schema.ts'
import * as service from './service.ts'

const endpointOperations = [
  operation({
    id: 'petri_webhook_endpoints_list',
    route: 'GET /_petri/webhooks/endpoints',
    summary: 'List the webhook endpoints of this world',
    tool: { name: 'list_webhook_endpoints' },
    returns: WebhookEndpointList,
    run: (world) => ({
      data: endpoints.listEndpoints(world).map((endpoint) => service.presentEndpoint(world, endpoint)),
      next_cursor: null,
    }),
  }),
  operation({
    id: 'petri_webhook_endpoints_create',
    route: 'POST /_petri/webhooks/endpoints',
    summary: 'Add a webhook endpoint; it signs with the secret of the world unless one is given',
    tool: { name: 'add_webhook_endpoint' },
    body: NewWebhookEndpoint,
    returns: AddedWebhookEndpoint,
    status: 201,
    async run(world, { body }) {
      assertKnownTypes(body.event_types)
      const endpoint = endpoints.addEndpoint(world, body)
      const earlier_events = await runInSlices(messages.resendEvents(world, endpoint, body.resend ?? 0))
      return { ...service.presentEndpoint(world, endpoint), earlier_events }
    },
  }),
  operation({
    id: 'petri_webhook_endpoints_patch',
    route: 'PATCH /_petri/webhooks/endpoints/{endpoint_id}',
    summary: 'Change an endpoint; null for all event types; enabling it resets its failures',
    params: EndpointPath,
    body: WebhookEndpointPatch,
    returns: WebhookEndpoint,
    async run(world, { params, body }) {
      assertKnownTypes(body.event_types)
      await earlierWorkDone(world)
      return service.presentEndpoint(world, await endpoints.changeEndpoint(world, params.endpoint_id, body))
    },
  }),
  operation({
    id: 'petri_webhook_endpoints_delete',
    route: 'DELETE /_petri/webhooks/endpoints/{endpoint_id}',
    summary: 'Remove an endpoint; its pending messages are given up',
    tool: { name: 'remove_webhook_endpoint' },
    params: EndpointPath,
    async run(world, { params }) {
      await earlierWorkDone(world)
      await endpoints.removeEndpoint(world, params.endpoint_id)
    },
  }),
]

const rotateOperation = operation({
  id: 'petri_webhook_endpoints_rotate_secret',
  route: 'POST /_petri/webhooks/endpoints/{endpoint_id}/rotate-secret',
  summary: 'Give an endpoint a new secret; the old one also signs for one day',
  params: EndpointPath,
  body: RotateSecret,
  bodyOptional: true,
  returns: RotatedWebhookEndpoint,
  async run(world, { params, body }) {
    await earlierWorkDone(world)
    return service.presentRotated(world, endpoints.rotateSecret(world, params.endpoint_id, body?.secret))
  },
})

const reachOperation = operation({
  id: 'petri_webhook_endpoints_reach',
  route: 'POST /_petri/webhooks/endpoints/{endpoint_id}/reach',
  summary: 'Check whether Petri can connect to the receiver; nothing is sent',
  params: EndpointPath,
  returns: Reachability,
  async run(world, { params }) {
    const { url } = endpoints.getEndpoint(world, params.endpoint_id)
    const inContainer = isInContainer()
    const detail = await whyUnreachable(url, inContainer)
    return { reachable: detail === undefined, detail: detail ?? null, in_container: inContainer }
  },
})

const eventOperation = operation({
  id: 'petri_event_get',
  route: 'GET /_petri/events/{event_id}',
  summary: 'Show one event with its body, even if no endpoint is subscribed to it',
  params: EventPath,
  returns: WebhookEvent,
  run: (world, { params }) => service.presentEvent(world, params.event_id),
})

const messageOperations = [
  operation({
    id: 'petri_webhook_messages_list',
    route: 'GET /_petri/webhooks/messages',
    summary: 'List messages with their attempts, newest last unless order says desc',
    tool: {
      name: 'list_webhooks',
      description:
        'This tool lists the newest first, 20 at a time, without payloads and attempts. Those are shown by get_webhook, or for all with fields=null',
      defaults: { limit: 20, order: 'desc', fields: 'summary' },
    },
    query: WebhookMessageQuery,
    returns: WebhookMessageList,
    run: (world, { query }) => service.listMessages(world, query),
  }),
  operation({
    id: 'petri_webhook_messages_get',
    route: 'GET /_petri/webhooks/messages/{message_id}',
    summary: 'Show one message with its payload and attempts',
    tool: { name: 'get_webhook' },
    params: MessagePath,
    returns: WebhookMessage,
    run: (world, { params }) => service.presentMessage(world, messages.getMessage(world, params.message_id)),
  }),
  operation({
    id: 'petri_webhook_resend',
    route: 'POST /_petri/webhooks/resend',
    summary:
      'Send messages again now: all that were given up or wait for their next attempt, or one by its id, also if it was delivered',
    tool: { name: 'resend_webhooks' },
    body: Resend,
    bodyOptional: true,
    returns: Resent,
    async run(world, { body }) {
      await earlierWorkDone(world)
      return messages.resend(world, body ?? {})
    },
  }),
]

/** The endpoint with the faults; nothing for those of the world. Throws if there is no such endpoint. */
function scopeOf(world: World, { endpoint_id: id }: { readonly endpoint_id?: string | null | undefined }) {
  return id == null ? id : endpoints.getEndpoint(world, id).id
}

const webhookFaultsOperations = [
  operation({
    id: 'petri_webhook_faults_get',
    route: 'GET /_petri/webhooks/faults',
    summary: 'Show the webhook faults of the world or of one endpoint',
    query: WebhookFaultsQuery,
    returns: WebhookFaults,
    run: (world, { query }) => service.describeFaults(world, scopeOf(world, query)),
  }),
  operation({
    id: 'petri_webhook_faults_put',
    route: 'PUT /_petri/webhooks/faults',
    summary: 'Replace the webhook faults; omitted rules are off',
    body: WebhookFaultsInput,
    returns: WebhookFaults,
    async run(world, { body }) {
      await earlierWorkDone(world)
      const scope = scopeOf(world, body)
      setWebhookFaults(world, scope, service.toWebhookFaults(body))
      return service.describeFaults(world, scope)
    },
  }),
  operation({
    id: 'petri_webhook_faults_delete',
    route: 'DELETE /_petri/webhooks/faults',
    summary: 'Remove the webhook faults of the world or of one endpoint',
    query: WebhookFaultsQuery,
    async run(world, { query }) {
      await earlierWorkDone(world)
      clearWebhookFaults(world, scopeOf(world, query))
    },
  }),
]

export const webhookControlOperations = [
  ...endpointOperations,
  rotateOperation,
  reachOperation,
  eventOperation,
  ...messageOperations,
  ...webhookFaultsOperations,
]
