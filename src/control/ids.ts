import * as z from 'zod'
import { maybe, oneOf, text } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { schema, unnamed } from '../api/schema.ts'
import { faults } from '../faults/model.ts'
import { keysOf } from '../kernel/fields.ts'
import { appointments } from '../resources/appointments/table.ts'
import { orders } from '../resources/orders/table.ts'
import { parsingJobs } from '../resources/report-parser/table.ts'
import { users } from '../resources/users/table.ts'
import type { AnyTable } from '../storage/table.ts'
import { endpoints, messages } from '../webhooks/table.ts'
import { requestId } from '../world/requests.ts'
import type { World } from '../world/world.ts'

/** The kinds of objects whose ids can be found by a prefix. Requests have no table. */
const tables = {
  order: orders,
  user: users,
  appointment: appointments,
  job: parsingJobs,
  message: messages,
  endpoint: endpoints,
  request: undefined,
  fault: faults,
}
const idKinds = keysOf(tables)

function idsOf({ db, requests }: World, kind: keyof typeof tables): readonly string[] {
  const table: AnyTable | undefined = tables[kind]
  return table ? db.ids(table) : [...requests.all()].map(({ ordinal }) => requestId(ordinal))
}

const IdsQuery = unnamed(() => ({
  kind: maybe(oneOf(idKinds)).describe('Only ids of this kind; of every kind by default.'),
  prefix: text().default('').describe('How the ids begin.'),
}))

export const Ids = schema('PetriIds', () => ({
  /** The first 50. */
  data: z.array(z.object({ kind: z.string(), id: z.string() })),
  /** The number of all matching ids. */
  total: z.int(),
}))

/** The maximum number of ids in a response. */
const MAX_LISTED = 50

export const idsOperation = operation({
  id: 'petri_ids',
  route: 'GET /_petri/ids',
  summary: 'List the ids of this world that start with a text',
  query: IdsQuery,
  returns: Ids,
  run(world, { query: { kind, prefix } }) {
    const data: { kind: string; id: string }[] = []
    let total = 0
    for (const each of kind ? [kind] : idKinds) {
      for (const id of idsOf(world, each)) {
        if (!id.startsWith(prefix)) continue
        total++
        if (data.length < MAX_LISTED || id === prefix) data.push({ kind: each, id })
      }
    }
    return { data, total }
  },
})
