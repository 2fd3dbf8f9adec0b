import * as z from 'zod'
import type { AnsweredCall } from '../api/answered-call.ts'
import { isMirrored, operation } from '../api/operation.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, type Parsed, schema } from '../api/schema.ts'
import { detailText } from '../kernel/detail-text.ts'
import { methodAndPath } from '../kernel/http-call.ts'
import { toIso } from '../kernel/instant.ts'
import { parseJson, valueAt } from '../kernel/json.ts'
import { startTimer } from '../kernel/pause.ts'
import type { World } from '../world/world.ts'
import { publish } from './publish.ts'

export const RefusedCall = schema('PetriRefusedCall', () => ({
  /** By the wall clock, since the call reached no world. */
  at: instant(),
  operation: z.string(),
  method: z.string(),
  /** The path of the operation, without the ids and the query of the call. */
  path: z.string(),
  status: z.int(),
  /** Why it was refused. */
  detail: z.string(),
}))
export type RefusedCall = Parsed<typeof RefusedCall>

export const RefusedCallList = schema('PetriRefusedCallList', () => pageOf(RefusedCall()))

const MAX_REFUSED = 100
/**
 * Milliseconds for which refused calls are collected before they are published, so that a flood does not fill the
 * streams.
 */
const COLLECT_MS = 250

export type RefusedCalls = ReturnType<typeof createRefusedCalls>

/** The latest calls that no valid key came with. They belong to no world, so each world shows all of this process, without anything secret. */
export function createRefusedCalls(openWorlds: () => Iterable<World>) {
  const calls: RefusedCall[] = []
  let cancel: (() => void) | undefined
  const notify = () => {
    cancel = undefined
    for (const world of openWorlds()) publish(world, 'refused', { operation: calls.at(-1)?.operation })
  }
  return {
    calls,
    add({ operation, world, status, startedAt, responseText }: AnsweredCall): void {
      // Who calls the control API sees that the key is wrong.
      if (status !== 401 || world || !operation || !isMirrored(operation)) return
      const [method, path] = methodAndPath(operation.route)
      const detail = detailText(valueAt(parseJson(responseText), ['detail']))
      calls.push({ at: toIso(startedAt), operation: operation.id, method, path, status, detail })
      if (calls.length > MAX_REFUSED) calls.shift()
      cancel ??= startTimer(COLLECT_MS, notify)
    },
    close: () => cancel?.(),
  }
}

export const refusedCallsOperation = (refusedCalls: Pick<RefusedCalls, 'calls'>) =>
  operation({
    id: 'petri_requests_refused',
    route: 'GET /_petri/requests/refused',
    summary: 'List the last calls of this Petri without a valid API key (401), newest last',
    tool: { name: 'list_refused_requests' },
    returns: RefusedCallList,
    run: () => ({ data: [...refusedCalls.calls], next_cursor: null }),
  })
