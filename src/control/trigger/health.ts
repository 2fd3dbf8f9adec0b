import { DAY_MS, toDate, toWire } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { availabilityOf, getConnected } from '../../resources/connections/connect.ts'
import { historyStart, listDevices } from '../../resources/connections/service.ts'
import type { Connection } from '../../resources/connections/table.ts'
import { getProvider, providerName } from '../../resources/providers/service.ts'
import { findSummary, listSummaries, type Summary } from '../../resources/summaries/service.ts'
import { announceBatch } from '../../resources/timeseries/announce.ts'
import { connectionSamples, feedOf } from '../../resources/timeseries/feeds.ts'
import { findSeries } from '../../resources/timeseries/service.ts'
import type { World } from '../../world/world.ts'
import { bodiesOf } from './captured-events.ts'

/** How many days back data for an event is searched, and how many samples the event contains. */
const MAX_DAYS = 30
const MAX_SAMPLES = 50

/** The body of an event about a connection; undefined if there is no data yet. */
export function connectionBody(world: World, eventType: string, userId: string, provider: string): unknown {
  const connection = getConnected(world, userId, provider)
  const [family = '', , resource = ''] = eventType.split('.')
  if (family === 'provider') return providerBody(world, eventType, connection)
  if (!getProvider(provider).resources.includes(resource)) {
    const known = getProvider(provider).resources.join(', ')
    throw new Problem('bad_request', `${provider} has no ${resource}; it has ${known}.`)
  }
  return family === 'historical'
    ? historyBody(world, connection, resource)
    : collectedBody(world, eventType, resource, connection)
}

function providerBody(world: World, eventType: string, connection: Connection): unknown {
  const { user_id, provider, external_user_id, error } = connection
  if (eventType === 'provider.connection.created') {
    const name = providerName(world, provider)
    const resource_availability = availabilityOf(connection)
    return { user_id, provider: name, source: name, external_user_id, resource_availability }
  }
  if (eventType === 'provider.connection.error') {
    const message = error?.error_message ?? 'The token could not be refreshed'
    const error_type = error?.error_type ?? 'token_refresh_failed'
    return { user_id, provider, error_type, error_details: message, message }
  }
  return listDevices(world, user_id).find((device) => device.provider === provider)
}

const historyBody = (world: World, connection: Connection, resource: string) => ({
  user_id: connection.user_id,
  start_date: toWire(historyStart(connection, resource) ?? world.clock.now()),
  end_date: toWire(world.clock.now()),
  is_final: true,
  provider: connection.provider,
})

function collectedBody(world: World, eventType: string, resource: string, connection: Connection): unknown {
  const what = eventType.endsWith('.updated') ? 'updated' : 'created'
  const now = world.clock.now()
  const summary = findSummary(resource)
  if (summary) return latestSummary(world, summary, connection)
  const series = findSeries(resource)
  if (!series) return undefined
  for (let days = 1; days <= MAX_DAYS; days++) {
    const span = { from: now - days * DAY_MS, until: now - (days - 1) * DAY_MS }
    const samples = [...connectionSamples(world, series, connection, span, now)]
    if (samples.length === 0) continue
    const batch = samples.slice(-MAX_SAMPLES)
    const data = bodiesOf(world, (listening) =>
      runAtOnce(announceBatch(listening, series, feedOf(series, connection), what, batch)),
    ).at(-1)
    return data instanceof JsonText ? JSON.parse(data.text) : data
  }
  return undefined
}

/** Searches recent days first, because a whole month is slow. */
function latestSummary(world: World, summary: Summary, { user_id, provider }: Connection): unknown {
  const now = world.clock.now()
  for (const days of [1, MAX_DAYS]) {
    const dates = { first: toDate(now - days * DAY_MS), last: toDate(now + DAY_MS) }
    const found = listSummaries(world, summary, user_id, dates, provider).at(-1)
    if (found) return found.item
  }
  return undefined
}
