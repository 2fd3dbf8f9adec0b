import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { version } from '../api/version.ts'
import { conflict } from '../kernel/problem.ts'
import type { Worlds } from '../world/worlds.ts'

export const Health = schema('PetriHealth', () => ({
  status: z.enum(['ok', 'degraded']),
  /** What is wrong. */
  detail: z.string().optional(),
  version: z.string(),
  contract_version: z.string(),
  caller: z
    .string()
    .nullable()
    .describe(
      "The caller's address as Petri sees it; null within its process. From a container, webhooks reach the caller there.",
    ),
}))

const Stopping = schema('PetriStopping', () => ({ stopping: z.literal(true) }))

export const healthOperation = (worlds: Worlds) =>
  operation({
    id: 'petri_health',
    route: 'GET /_petri/health',
    summary:
      'Get the health of Petri; degraded while something cannot be stored or a world could not be opened',
    access: 'open',
    returns: Health,
    run(_world, _input, { caller }) {
      const { trouble } = worlds
      return {
        status: trouble ? ('degraded' as const) : ('ok' as const),
        detail: trouble,
        version: version.petri,
        contract_version: version.contract,
        caller: caller()?.replace(/^::ffff:/i, '') ?? null,
      }
    },
  })

/** `stop` ends the process after this reply; a Petri inside another program has none. */
export const stopOperation = (stop: (() => void) | undefined) =>
  operation({
    id: 'petri_stop',
    route: 'POST /_petri/stop',
    summary: 'Stop this Petri; a running advance ends after its current job',
    access: 'control',
    returns: Stopping,
    run() {
      if (!stop) throw conflict('This Petri runs inside another program, which has to close it.')
      stop()
      return { stopping: true as const }
    },
  })
