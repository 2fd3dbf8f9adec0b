import { operation } from '../../api/operation.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { assertKnownTypes } from '../../webhooks/fields.ts'
import { earlierDelivered } from '../../webhooks/messages.ts'
import * as schemas from './schema.ts'
import * as service from './service.ts'

const endpointOperations = [
  operation({
    id: 'list_webhooks',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook',
    summary: 'List the webhook endpoints of a team',
    params: schemas.EnvironmentPath,
    query: schemas.WebhookQuery,
    returns: schemas.ManagedWebhookList,
    run: (world, { query }) => service.listWebhooks(world, query),
  }),
  operation({
    id: 'create_webhook',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook',
    summary: 'Add a webhook endpoint with its own secret to a team',
    params: schemas.EnvironmentPath,
    body: schemas.WebhookInput,
    returns: schemas.ManagedWebhook,
    run(world, { body }) {
      assertKnownTypes(body.filter_types, 'filter_types')
      return service.makeWebhook(world, body)
    },
  }),
  operation({
    id: 'get_webhook',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
    summary: 'Get an endpoint',
    params: schemas.WebhookPath,
    returns: schemas.ManagedWebhook,
    run: (world, { params }) => service.getWebhook(world, params.webhook_id),
  }),
  operation({
    id: 'patch_webhook',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
    summary: 'Change an endpoint; null as filter means all events',
    params: schemas.WebhookPath,
    body: schemas.WebhookPatch,
    returns: schemas.ManagedWebhook,
    async run(world, { params, body }) {
      assertKnownTypes(body.filter_types, 'filter_types')
      await earlierDelivered(world)
      return service.changeWebhook(world, params.webhook_id, body)
    },
  }),
]

const deleteOperation = operation({
  id: 'delete_webhook',
  route: 'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
  summary: 'Remove an endpoint; its pending messages are given up',
  params: schemas.WebhookPath,
  async run(world, { params }) {
    await earlierDelivered(world)
    await endpoints.removeEndpoint(world, params.webhook_id)
  },
})

const headerOperations = [
  operation({
    id: 'get_webhook_headers',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers',
    summary: 'Get the headers sent with each delivery; values of sensitive ones are hidden',
    params: schemas.WebhookPath,
    returns: schemas.WebhookHeaders,
    run: (world, { params }) => service.describeHeaders(world, params.webhook_id),
  }),
  operation({
    id: 'update_webhook_headers',
    route: 'PUT /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers',
    summary: 'Replace the headers sent with each delivery',
    params: schemas.WebhookPath,
    body: schemas.WebhookHeadersInput,
    async run(world, { params, body }) {
      await earlierDelivered(world)
      await endpoints.changeEndpoint(world, params.webhook_id, body)
    },
  }),
]

const secretOperations = [
  operation({
    id: 'get_webhook_secret',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret',
    summary: 'Get the secret that signs an endpoint’s deliveries',
    params: schemas.WebhookPath,
    returns: schemas.WebhookSecret,
    run: (world, { params }) => ({ key: endpoints.getEndpoint(world, params.webhook_id).secret }),
  }),
  operation({
    id: 'rotate_webhook_secret',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret/rotate',
    summary: 'Give an endpoint a new secret; the old one also signs for one day',
    params: schemas.WebhookPath,
    body: schemas.WebhookSecretInput,
    async run(world, { params, body }) {
      await earlierDelivered(world)
      endpoints.rotateSecret(world, params.webhook_id, body.key ?? undefined)
    },
  }),
]

const metricOperation = operation({
  id: 'get_team_event_delivery_metric',
  route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/event_delivery_metric',
  summary: 'Count the delivery attempts by their outcome',
  params: schemas.EnvironmentPath,
  query: schemas.MetricQuery,
  returns: schemas.DeliveryMetric,
  run: (world, { query }) => service.deliveryMetric(world, query.interval),
})

export const webhookOperations = [
  ...endpointOperations,
  deleteOperation,
  ...headerOperations,
  ...secretOperations,
  metricOperation,
]
