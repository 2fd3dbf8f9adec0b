import * as z from 'zod'
import { maybe, text } from '../../api/fields.ts'
import { operation } from '../../api/operation.ts'
import { nullableText, type Parsed, schema } from '../../api/schema.ts'
import { badRequest } from '../../kernel/problem.ts'
import { clearTarget, setTarget } from '../../resources/etl/service.ts'
import { etlOutbox, etlTargets } from '../../resources/etl/table.ts'
import { receiverUrl } from '../../webhooks/fields.ts'
import type { World } from '../../world/world.ts'

/** A folder name without separators and dots, so that it cannot leave its parent folder. */
const FOLDER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

const EtlTargetInput = schema('EtlTargetInput', () =>
  z.object({ url: maybe(receiverUrl()), folder: maybe(text().regex(FOLDER)) }),
)

const EtlTarget = schema('EtlTarget', () =>
  z.object({
    url: nullableText(),
    folder: nullableText(),
    delivered: z.int(),
    waiting: z.int(),
    last_error: nullableText(),
  }),
)

export const etlOperations = [
  operation({
    id: 'petri_etl_target_get',
    route: 'GET /_petri/etl/target',
    summary: 'Show the target of the ETL pipeline of this team, and the number of waiting events',
    returns: EtlTarget,
    run: describeTarget,
  }),
  operation({
    id: 'petri_etl_target_put',
    route: 'PUT /_petri/etl/target',
    summary: 'Deliver the ETL pipeline of this team to a URL or a local folder, as newline-delimited JSON',
    body: EtlTargetInput,
    returns: EtlTarget,
    run(world, { body: { url = null, folder = null } }) {
      if ((url === null) === (folder === null)) {
        throw badRequest('Give exactly one of url and folder.')
      }
      if (folder !== null && !world.services.etl.hasFolder) {
        throw badRequest('Petri was started without PETRI_ETL_FOLDER.')
      }
      setTarget(world, { url, folder })
      return describeTarget(world)
    },
  }),
  operation({
    id: 'petri_etl_target_delete',
    route: 'DELETE /_petri/etl/target',
    summary: 'Stop delivering the ETL pipeline of this team, and drop the waiting events',
    run: (world) => void clearTarget(world),
  }),
]

function describeTarget(world: World): Parsed<typeof EtlTarget> {
  const { url, folder, delivered, last_error } = world.db.find(etlTargets, 'target') ?? nowhere
  return { url, folder, delivered, waiting: world.db.count(etlOutbox), last_error }
}

const nowhere = { url: null, folder: null, delivered: 0, last_error: null }
