import { createPetri } from '../../petri.ts'
import { currentStatusOf, type OrderRow, statusHistoryOf } from '../../resources/orders/table.ts'
import type { OrderRecord } from '../../scenarios/incidents/record.ts'
import { CliError } from '../config.ts'
import type { DeliveredWebhook } from './test-text.ts'

/** What comes of a scenario. */
interface Played {
  /** How the order differs from the record, in sentences. */
  readonly differences: readonly string[]
  readonly webhooks: readonly DeliveredWebhook[]
}

/** Plays the scenario in a Petri in this process. */
export async function play(source: string, name: string, record: OrderRecord): Promise<Played> {
  const key = 'sk_us_play'
  const webhooks: DeliveredWebhook[] = []
  const petri = await createPetri({
    firstWorld: {
      name: 'Play',
      apiKey: key,
      seed: '1',
      frozen: true,
      now: record.statuses[0]?.at ?? null,
      pace: 8640,
      scenario: 'manual',
      webhookUrl: 'http://receiver.petri.localhost/',
    },
    async transport({ body }) {
      const { event_type, data } = JSON.parse(body)
      webhooks.push([event_type, (data.last_event ?? data).status ?? null])
      return { status: 204, headers: {}, body: '' }
    },
  })
  try {
    const call = async (method: string, path: string, body: object) => {
      const response = await petri.app.request(path, {
        method,
        headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const reply = (await response.json()) as OrderRow & { readonly detail?: unknown }
      if (!response.ok) throw new CliError(`The scenario cannot be played: ${JSON.stringify(reply.detail)}`)
      return reply
    }
    await call('PUT', `/_petri/scenarios/${name}`, { source })
    const { id } = await call('POST', '/_petri/orders', {
      scenario: name,
      registrable: record.workflow === 'registrable_kit',
    })
    await call('POST', '/_petri/clock/advance', { until: 'idle' })
    const response = await petri.app.request(`/v3/order/${id}`, { headers: { 'x-service-api-key': key } })
    return { differences: differencesFrom(record, (await response.json()) as OrderRow), webhooks }
  } finally {
    await petri.close()
  }
}

/** The longest difference of an interval that counts as none, because events show whole seconds. */
const TOLERANCE_MS = 1000

function differencesFrom({ statuses }: OrderRecord, played: OrderRow): string[] {
  const lows = statusHistoryOf(played)
  let at = 0
  const missing = statuses.filter(({ low }) => {
    const found = lows.indexOf(low, at)
    if (found !== -1) at = found + 1
    return found === -1
  })
  if (missing.length > 0)
    return [
      `Played, its order lacks ${missing.map(({ low }) => low).join(', ')}; it ends ${currentStatusOf(played)}.`,
    ]
  const times = played.events.map(({ created_at }) => Date.parse(created_at))
  const duration = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const expected = (statuses.at(-1)?.at ?? 0) - (statuses[0]?.at ?? 0)
  if (Math.abs(duration - expected) <= TOLERANCE_MS * times.length) return []
  return [
    `Played, it takes ${Math.round(duration / 1000)} s of scenario time; the record takes ${Math.round(expected / 1000)} s.`,
  ]
}
