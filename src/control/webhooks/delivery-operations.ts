import { operation } from '../../api/operation.ts'
import { clearDeliveryFaults, setDeliveryFaults } from '../../webhooks/set-delivery-faults.ts'
import { DeliveryQuery, WebhookDelivery, WebhookDeliveryInput } from './delivery-schema.ts'
import { describeDelivery, toRules } from './delivery-service.ts'

const tag = 'petri'

export const deliveryOperations = [
  operation({
    id: 'petri_webhook_delivery_get',
    route: 'GET /_petri/webhooks/delivery',
    tag,
    summary: 'How deliveries misbehave, in the world or to one endpoint',
    query: DeliveryQuery,
    returns: WebhookDelivery,
    run: (world, { query }) => describeDelivery(world, query.endpoint_id ?? undefined),
  }),
  operation({
    id: 'petri_webhook_delivery_put',
    route: 'PUT /_petri/webhooks/delivery',
    tag,
    summary: 'Let deliveries misbehave, in place of what was said before; what is left out is off',
    body: WebhookDeliveryInput,
    returns: WebhookDelivery,
    run(world, { body }) {
      const endpointId = body.endpoint_id ?? undefined
      setDeliveryFaults(world, endpointId, toRules(body))
      return describeDelivery(world, endpointId)
    },
  }),
  operation({
    id: 'petri_webhook_delivery_delete',
    route: 'DELETE /_petri/webhooks/delivery',
    tag,
    summary: 'Let all deliveries, or those to one endpoint, be as they should',
    query: DeliveryQuery,
    status: 204,
    run: (world, { query }) => void clearDeliveryFaults(world, query.endpoint_id ?? undefined),
  }),
]
