import * as z from 'zod'
import { oneOf } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { paymentOutcomes, Session, SessionPath } from '../resources/checkout/schema.ts'
import { paySession, presentSession } from '../resources/checkout/service.ts'

const Payment = schema('PetriPayment', () =>
  z.strictObject({
    outcome: oneOf(paymentOutcomes)
      .optional()
      .describe('`paid`, unless the e-mail address of the patient is a magic one.'),
  }),
)

export const payCheckoutOperation = operation({
  id: 'petri_checkout_pay',
  route: 'POST /_petri/checkout/sessions/{checkout_session_id}/pay',
  summary: 'Pay for a checkout session, which places its order; or have the payment declined or given up',
  tool: { name: 'pay_checkout_session' },
  params: SessionPath,
  body: Payment,
  bodyOptional: true,
  returns: Session,
  needs: 'scenarios',
  run: (world, { params, body }) =>
    presentSession(world, paySession(world, params.checkout_session_id, body?.outcome)),
})
