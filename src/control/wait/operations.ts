import { type AnyOperation, operation } from '../../api/operation.ts'
import { Found, Missed, Wait } from './schema.ts'
import { goalOf, waitFor } from './service.ts'

export const waitOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_wait',
    route: 'POST /_petri/wait',
    summary:
      'Wait until an order has reached a status, a message was delivered or a call was received; answers immediately if that is already true',
    tool: { name: 'wait', description: 'Give order_id and status, or message, or request' },
    body: Wait,
    returns: Found,
    alsoReturns: { 408: Missed },
    async run(world, { body }, { clientSignal }) {
      return waitFor(world, goalOf(world, body, mirrored()), {
        timeoutMs: body.timeout,
        signal: clientSignal?.(),
      })
    },
  }),
]
