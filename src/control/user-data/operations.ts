import { operation } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { type DeviceChange, putDevice } from '../../resources/connections/service.ts'
import { findSummary, storeSummary } from '../../resources/summaries/service.ts'
import { findSeries, storeSamples } from '../../resources/timeseries/service.ts'
import { UserPath } from '../../resources/users/schema.ts'
import { getUser } from '../../resources/users/service.ts'
import type { World } from '../../world/world.ts'
import { DeviceFields, UserData, UserDataKept } from './schema.ts'

export const userDataOperations = [
  operation({
    id: 'petri_user_data_put',
    route: 'POST /_petri/users/{user_id}/data',
    summary: 'Add samples or a summary of a user, with their events; data with the same key is replaced',
    tool: { name: 'add_health_data' },
    params: UserPath,
    body: UserData,
    returns: UserDataKept,
    run(world, { params, body }) {
      if (body.resource === 'device') return keepDevice(world, params.user_id, body)
      return body.samples
        ? keepSamples(world, params.user_id, body)
        : keepSummary(world, params.user_id, body)
    },
  }),
]

type Body = Parsed<typeof UserData>

async function keepSamples(world: World, userId: string, body: Body): Promise<Parsed<typeof UserDataKept>> {
  const series = findSeries(body.resource)
  if (!series) throw refusal(`${body.resource} is a summary: send \`summary\``, body)
  if (body.summary) throw refusal('send either `samples` or `summary`', body)
  const { provider, source_type: sourceType, samples = [] } = body
  const { created, updated } = await runInSlices(
    storeSamples(world, { userId, series, provider, sourceType, samples }),
  )
  return answer(
    body.resource,
    series.resource === undefined ? series.slug : series.resource,
    created,
    updated,
    null,
  )
}

function keepSummary(world: World, userId: string, body: Body): Parsed<typeof UserDataKept> {
  const summary = findSummary(body.resource)
  if (!summary) throw refusal(`${body.resource} is a timeseries: send \`samples\``, body)
  if (!body.summary) throw refusal('send `samples` or `summary`', body)
  const { provider, source_type: sourceType, summary: item } = body
  const { id, what } = storeSummary(world, { userId, summary, provider, sourceType, item })
  return answer(body.resource, summary.resource, what === 'created' ? 1 : 0, what === 'updated' ? 1 : 0, id)
}

function keepDevice(world: World, userId: string, body: Body): Parsed<typeof UserDataKept> {
  getUser(world, userId)
  const change = DeviceFields().safeParse(body.summary)
  if (!change.success)
    throw refusal('the `summary` of a device has device_model, device_version and the like', body)
  const { id, what } = putDevice(world, userId, body.provider, body.source_type, change.data as DeviceChange)
  return {
    ...{ resource: 'device', id },
    created: what === 'created' ? 1 : 0,
    updated: what === 'updated' ? 1 : 0,
    event_types: what ? [`provider.device.${what}`] : [],
  }
}

function answer(resource: string, event: string | null, created: number, updated: number, id: string | null) {
  const event_types =
    event === null
      ? []
      : [
          ...(created > 0 ? [`daily.data.${event}.created`] : []),
          ...(updated > 0 ? [`daily.data.${event}.updated`] : []),
        ]
  return { resource, created, updated, id, event_types }
}

const refusal = (reason: string, input: unknown) =>
  new Problem('invalid', [
    { type: 'value_error', loc: ['body'], msg: `Value error, ${reason}`, input, ctx: { error: {} } },
  ])
