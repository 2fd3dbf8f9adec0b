import type { Call } from '../../client/responses.ts'
import { isSuccess } from '../../kernel/http-call.ts'
import { inShort } from '../../kernel/in-short.ts'
import type { FindingFile } from '../../scenarios/finding.ts'
import type { Played, PlayedDelivery } from './play.ts'

/** A mistake of the program under test. */
export interface Violation {
  /** The check that found it. */
  readonly oracle: string
  /** In one sentence. */
  readonly problem: string
  /** The value that the program shows, and the right one. */
  readonly actual?: unknown
  readonly expected?: unknown
  /** When it showed, in milliseconds since 1970 by the world's clock; at the end of the history if undefined. */
  readonly at?: number
}

/** Thrown for what a check finds while a history is played. */
export class Violated extends Error {
  override readonly name = 'Violated'
  readonly violation: Violation

  constructor(violation: Violation) {
    super(violation.problem)
    this.violation = violation
  }
}

/** Finds out whether the program is wrong after a history; undefined if it is not. */
export type Judge = (played: Played) => Promise<Violation | undefined> | Violation | undefined

/** Whether a history makes calls of the program fail, so that it may refuse a delivery to get it again. */
const hasCallFaults = ({ faults = [], orders }: FindingFile): boolean =>
  faults.length > 0 || orders.some((order) => order.faults?.length)

/**
 * Every delivery is accepted in time. Where calls of the program fail it may refuse one, if it accepts a later attempt.
 * Source: docs/contract/webhooks.md#delivery.
 */
export const judgeDeliveries: Judge = ({ deliveries, history }) => {
  const reached = deliveries.filter(({ outage }) => outage !== 'down' && outage !== 'busy')
  const decisive = hasCallFaults(history) ? lastOfEach(reached) : reached
  const refused = decisive.find(({ status }) => !isSuccess(status))
  if (!refused) return undefined
  const { at } = refused
  const what = `a ${JSON.parse(refused.body).event_type} webhook`
  return refused.status === null
    ? { oracle: 'crash', at, problem: `The program did not answer ${what}: ${detailOf(refused.detail)}` }
    : {
        oracle: 'delivery',
        at,
        problem: `The program answered ${refused.status} to ${what}${refused.detail && `: ${detailOf(refused.detail)}`}`,
      }
}

/** The last delivery of each message. */
const lastOfEach = (deliveries: readonly PlayedDelivery[]) => [
  ...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values(),
]

const MAX_DETAIL = 160

/** The answer of a program, as problems show it. */
export const detailOf = (text: string): string => inShort(text, MAX_DETAIL)

/** Statuses that a correct program can get, because of what happens meanwhile. */
const UNLUCKY = new Set([404, 409, 429])

/** No call of the program is refused by its own fault. Source: docs/contract/errors.md#errors. */
export const judgeCalls: Judge = ({ calls }) => {
  const wrong = calls.find(isOwnFault)
  return (
    wrong && {
      oracle: 'call',
      at: Date.parse(wrong.at),
      problem: `The program called ${wrong.method} ${wrong.path}, which answered ${wrong.status}.`,
    }
  )
}

function isOwnFault({ status, operation, path, fault_id }: Call): boolean {
  if (status < 400 || status >= 500 || fault_id !== null) return false
  // It may have become too late to cancel.
  if (status === 400 && path.endsWith('/cancel')) return false
  return !UNLUCKY.has(status) || (status === 404 && operation === null)
}

export const builtInJudges: readonly Judge[] = [judgeDeliveries, judgeCalls]
