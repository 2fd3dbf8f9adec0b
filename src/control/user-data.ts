import * as z from 'zod'
import { field, oneOf } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { operation } from '../api/operation.ts'
import { anyObject, type Parsed, schema } from '../api/schema.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import { runInSlices } from '../kernel/slices.ts'
import { sourceTypes } from '../resources/catalogue/schema.ts'
import { type DeviceChange, putDevice, storeSamples } from '../resources/connecting/service.ts'
import { Device } from '../resources/connections/schema.ts'
import { sourceSlugs } from '../resources/providers/schema.ts'
import { findSummary, summaryResources } from '../resources/summaries/service.ts'
import { storeSummary } from '../resources/summaries/storing.ts'
import { findSeries, seriesResources } from '../resources/timeseries/service.ts'
import { getUser } from '../resources/users/service.ts'
import type { World } from '../world/world.ts'

/** Resources that have an event but accept no data. */
const notAccepted = 'workout_stream'

const names = [...seriesResources, ...summaryResources, 'device'].filter((name) => name !== notAccepted)

/** A timeseries, a summary or `device`, as named in events or paths. */
const resource = () =>
  field({ type: 'string', examples: ['steps', 'glucose', 'sleep'] }, (input) => {
    const name = typeof input === 'string' ? input : ''
    if (name === 'device') return name
    if (name !== notAccepted && (findSeries(name) || findSummary(name))) return name
    return valueError(`"${input}" is not a timeseries or a summary.${didYouMean(name, names)}`)
  })

/** Data of one source: samples of a timeseries, one summary, or fields of a device. */
const UserData = schema('UserData', () =>
  z.strictObject({
    resource: resource(),
    provider: oneOf(sourceSlugs),
    source_type: oneOf(sourceTypes).optional(),
    // Each is read by the schema of its series; a record of texts would take twice as long to check.
    samples: z.array(z.looseObject({})).max(20_000).optional(),
    summary: anyObject().optional(),
  }),
)

/** The fields of a device. */
const DeviceFields = schema('DeviceFields', () =>
  z
    .strictObject(Device().omit({ id: true, user_id: true, provider: true, source_type: true }).shape)
    .partial(),
)

export const UserDataKept = schema('UserDataKept', () => ({
  resource: z.string(),
  created: z.int(),
  updated: z.int(),
  /** Of the summary or device. */
  id: z.uuid().nullable(),
  event_types: z.array(z.string()),
}))

export const userDataOperation = operation({
  id: 'petri_user_data_put',
  route: 'POST /_petri/users/{user_id}/data',
  summary: 'Add samples or a summary of a user, with their events; data with the same key is replaced',
  tool: { name: 'add_health_data' },
  body: UserData,
  returns: UserDataKept,
  run(world, { params: { user_id }, body }) {
    if (body.resource === 'device') return keepDevice(world, user_id, body)
    return body.samples ? keepSamples(world, user_id, body) : keepSummary(world, user_id, body)
  },
})

type Input = Parsed<typeof UserData>

async function keepSamples(world: World, userId: string, input: Input) {
  const { resource, provider, source_type: sourceType, samples = [] } = input
  const series = findSeries(resource)
  if (!series) throw refusal(`${resource} is a summary: send \`summary\``, input)
  if (input.summary) throw refusal('send either `samples` or `summary`', input)
  const stored = await runInSlices(storeSamples(world, { userId, series, provider, sourceType, samples }))
  const event = series.resource === undefined ? series.slug : series.resource
  return describeKept(resource, event === null ? null : `daily.data.${event}`, null, stored)
}

function keepSummary(world: World, userId: string, input: Input) {
  const { resource, provider, source_type: sourceType, summary: item } = input
  const summary = findSummary(resource)
  if (!summary) throw refusal(`${resource} is a timeseries: send \`samples\``, input)
  if (!item) throw refusal('send `samples` or `summary`', input)
  const { id, what } = storeSummary(world, { userId, summary, provider, sourceType, item })
  return describeKept(resource, `daily.data.${summary.resource}`, id, countsOf(what))
}

function keepDevice(world: World, userId: string, input: Input) {
  getUser(world, userId)
  const change = DeviceFields().safeParse(input.summary)
  if (!change.success) {
    throw refusal('the `summary` of a device has device_model, device_version and the like', input)
  }
  const { provider, source_type } = input
  const { id, what } = putDevice(world, userId, provider, source_type, change.data as DeviceChange)
  return describeKept('device', 'provider.device', id, countsOf(what))
}

interface ChangeCounts {
  readonly created: number
  readonly updated: number
}

const countsOf = (what: string | null | undefined): ChangeCounts => ({
  created: what === 'created' ? 1 : 0,
  updated: what === 'updated' ? 1 : 0,
})

function describeKept(
  resource: string,
  event: string | null,
  id: string | null,
  { created, updated }: ChangeCounts,
): Parsed<typeof UserDataKept> {
  const event_types: string[] = []
  if (event !== null && created > 0) event_types.push(`${event}.created`)
  if (event !== null && updated > 0) event_types.push(`${event}.updated`)
  return { resource, created, updated, id, event_types }
}

const refusal = (reason: string, input: unknown) =>
  new Problem('invalid', [{ ...valueError(reason), loc: ['body'], input }])
