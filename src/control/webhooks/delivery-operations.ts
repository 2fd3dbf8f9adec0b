import { operation } from '../../api/operation.ts'
import { clearDeliveryFaults, setDeliveryFaults } from '../../webhooks/delivery-faults.ts'
import { getEndpoint } from '../../webhooks/endpoints.ts'
import { earlierDelivered } from '../../webhooks/messages.ts'
import { DeliveryQuery, WebhookDelivery, WebhookDeliveryInput } from './delivery-schema.ts'
import { describeDelivery, toRules } from './delivery-service.ts'

export const deliveryOperations = [
  operation({
    id: 'petri_webhook_delivery_get',
    route: 'GET /_petri/webhooks/delivery',
    summary: 'Show the delivery faults of the world or of one endpoint',
    query: DeliveryQuery,
    returns: WebhookDelivery,
    run: (world, { query }) => describeDelivery(world, query.endpoint_id ?? undefined),
  }),
  operation({
    id: 'petri_webhook_delivery_put',
    route: 'PUT /_petri/webhooks/delivery',
    summary: 'Replace the delivery faults; rules that are left out are off',
    body: WebhookDeliveryInput,
    returns: WebhookDelivery,
    async run(world, { body }) {
      const endpointId = body.endpoint_id ?? undefined
      if (endpointId !== undefined) getEndpoint(world, endpointId)
      await earlierDelivered(world)
      setDeliveryFaults(world, endpointId, toRules(body))
      return describeDelivery(world, endpointId)
    },
  }),
  operation({
    id: 'petri_webhook_delivery_delete',
    route: 'DELETE /_petri/webhooks/delivery',
    summary: 'Remove the delivery faults of the world or of one endpoint',
    query: DeliveryQuery,
    async run(world, { query }) {
      const endpointId = query.endpoint_id ?? undefined
      if (endpointId !== undefined) getEndpoint(world, endpointId)
      await earlierDelivered(world)
      clearDeliveryFaults(world, endpointId)
    },
  }),
]
