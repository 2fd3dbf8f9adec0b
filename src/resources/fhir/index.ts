import { uuid } from '../../api/fields.ts'
import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { unnamed } from '../../api/schema.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import { createInsurance } from '../insurance/service.ts'
import { placeClientOrder } from '../orders/placing.ts'
import { IdempotencyHeaders } from '../orders/requests.ts'
import { OrderAnswer } from '../orders/schema.ts'
import { getOrder } from '../orders/service.ts'
import { type OrderRow, orders } from '../orders/table.ts'
import { getReport } from '../results/service.ts'
import { OrderBundle, placeInBundle } from './bundle.ts'
import { readOrder } from './order.ts'
import { asOutcome, OperationOutcome, problemAsOutcome } from './outcome.ts'
import { resultBundle } from './result.ts'
import { ResultBundle } from './schema.ts'

const fhirOperations = [
  operation({
    id: 'fhir_order_create',
    route: 'POST /v3/order/fhir',
    tag: 'fhir',
    summary: 'Order a lab test as a FHIR R4 bundle; outside the published contract',
    assumes: [
      'Public programs show the resources of the bundle and `order.id` of the reply; how the fields are mapped is assumed, and so are all errors. ' +
        'Groups of a QuestionnaireResponse are linked to marker ids and their items to question ids.',
      'Codes of ICD-10 in `ServiceRequest.code` and `reasonCode` become `icd_codes`; notes and the extension `assessment_plan` become `clinical_notes`.',
      'The order is billed to the client. A Coverage of the patient becomes an insurance record if an identifier of its payor is a known payor code.',
    ],
    headers: IdempotencyHeaders,
    body: OrderBundle,
    bodyError: (problem) => problemAsOutcome(problem, placeInBundle),
    returns: OrderAnswer,
    alsoReturns: { 400: OperationOutcome, 403: OperationOutcome, 404: OperationOutcome },
    repeatableFor: DAY_MS,
    needs: 'scenarios',
    async run(world, { body: bundle }, context) {
      const { body, insurance, placeOf } = readOrder(world, bundle)
      try {
        const order = await placeClientOrder(world, body, context)
        if (insurance) createInsurance(world, order.user_id, insurance)
        return {
          order: world.db.text(orders, order.id) as JsonText<OrderRow> & OrderRow,
          status: 'success',
          message: 'Order created successfully',
        }
      } catch (error) {
        throw asOutcome(error, placeOf)
      }
    },
  }),
  operation({
    id: 'fhir_order_result_get',
    route: 'GET /v3/order/{order_id}/result/fhir',
    tag: 'fhir',
    summary: "Get an order's results as a FHIR R4 bundle; outside the published contract",
    assumes: [
      'Public programs read the patient and the observations. The DocumentReference of the PDF, ids and `fullUrl`, the status `corrected` of ' +
        'replaced lines, and `cancelled` with a `dataAbsentReason` for missing ones are assumed.',
      'The id of the patient is the `client_user_id` where that can be an id in FHIR, else the `user_id`.',
    ],
    params: unnamed(() => ({ order_id: uuid() })),
    returns: ResultBundle,
    alsoReturns: { 404: OperationOutcome },
    run(world, { params: { order_id } }) {
      try {
        const bundle = resultBundle(world, getOrder(world, order_id, 'Order not found'))
        // Without results, the error of the JSON route.
        if (!bundle) getReport(world, order_id)
        return bundle as NonNullable<typeof bundle>
      } catch (error) {
        throw asOutcome(error)
      }
    },
  }),
]

export const fhirResource: Resource = { name: 'fhir', operations: fhirOperations }
