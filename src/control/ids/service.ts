import type { Parsed } from '../../api/schema.ts'
import { faults } from '../../faults/model.ts'
import { appointments } from '../../resources/appointments/table.ts'
import { orders } from '../../resources/orders/table.ts'
import { parsingJobs } from '../../resources/report-parser/table.ts'
import { users } from '../../resources/users/table.ts'
import { endpoints, messages } from '../../webhooks/table.ts'
import { requestId } from '../../world/requests.ts'
import type { World } from '../../world/world.ts'
import { type IdKind, type Ids, type IdsQuery, idKinds } from './schema.ts'

const idsOf: Readonly<Record<IdKind, (world: World) => Iterable<string>>> = {
  order: ({ db }) => db.ids(orders),
  user: ({ db }) => db.ids(users),
  appointment: ({ db }) => db.ids(appointments),
  job: ({ db }) => db.ids(parsingJobs),
  message: ({ db }) => db.ids(messages),
  endpoint: ({ db }) => db.ids(endpoints),
  request: ({ requests }) => [...requests.all()].map(({ ordinal }) => requestId(ordinal)),
  fault: ({ db }) => db.ids(faults),
}

/** The maximum number of ids in an answer. */
const MAX_LISTED = 50

export function findIds(world: World, { kind, prefix }: Parsed<typeof IdsQuery>): Parsed<typeof Ids> {
  const data: { kind: IdKind; id: string }[] = []
  let total = 0
  for (const each of kind ? [kind] : idKinds) {
    for (const id of idsOf[each](world)) {
      if (!id.startsWith(prefix)) continue
      total++
      if (data.length < MAX_LISTED || id === prefix) data.push({ kind: each, id })
    }
  }
  return { data, total }
}
