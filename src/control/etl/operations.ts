import * as z from 'zod'
import { operation } from '../../api/operation.ts'
import { nullableText, type Parsed, schema } from '../../api/schema.ts'
import { clearTarget, setTarget } from '../../resources/etl/service.ts'
import { etlOutbox, etlTargets } from '../../resources/etl/table.ts'
import { receiverUrl } from '../../webhooks/fields.ts'
import type { World } from '../../world/world.ts'

const EtlTargetInput = schema('EtlTargetInput', () => ({ url: receiverUrl() }))

const EtlTarget = schema('EtlTarget', () => ({
  url: nullableText(),
  delivered: z.int(),
  waiting: z.int(),
  last_error: nullableText(),
}))

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
    summary: 'Deliver the ETL pipeline of this team to a URL, as newline-delimited JSON',
    body: EtlTargetInput,
    returns: EtlTarget,
    run(world, { body: { url } }) {
      setTarget(world, url)
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
  const { url, delivered, last_error } = world.db.find(etlTargets, 'target') ?? nowhere
  return { url, delivered, waiting: world.db.count(etlOutbox), last_error }
}

const nowhere = { url: null, delivered: 0, last_error: null }
