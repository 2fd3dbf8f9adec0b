import { compact } from '../../kernel/list.ts'
import { createPetri } from '../../petri.ts'
import { type OrderRow, statusHistoryOf } from '../../resources/orders/table.ts'
import type { OrderRecord } from '../../scenarios/incidents/record.ts'
import { CliError } from '../../terminal/errors.ts'
import type { DeliveredWebhook } from './test-text.ts'

/** The effects of a scenario. */
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
const TOLERANCE_MS = 2000
/** The most intervals that are named. */
const MAX_NAMED = 3

function differencesFrom({ statuses, mayHaveGaps }: OrderRecord, played: OrderRow): string[] {
  const lows = statusHistoryOf(played)
  const places: number[] = []
  const missing = statuses.filter(({ low }) => {
    const found = lows.indexOf(low, (places.at(-1) ?? -1) + 1)
    if (found !== -1) places.push(found)
    return found === -1
  })
  if (missing.length > 0)
    return [`Played, its order lacks ${missing.map(({ low }) => low).join(', ')}; it ends ${lows.at(-1)}.`]
  const others = lows.filter((_, at) => !places.includes(at))
  const isLonger = others.length > 0 && !mayHaveGaps
  const timeOf = (nth: number) => Date.parse(played.events[places[nth] ?? 0]?.created_at ?? '')
  const late = statuses.flatMap(({ low, at }, nth) => {
    const before = statuses[nth - 1]
    if (!before) return []
    const recorded = at - before.at
    const waited = timeOf(nth) - timeOf(nth - 1)
    const isLate = Math.abs(recorded - waited) > TOLERANCE_MS
    return isLate
      ? [
          `Played, ${low} comes after ${seconds(waited)} of scenario time; in the record after ${seconds(recorded)}.`,
        ]
      : []
  })
  return compact([
    isLonger && `Played, its order also has ${others.join(', ')}.`,
    ...late.slice(0, MAX_NAMED),
    late.length > MAX_NAMED && `Played, ${late.length - MAX_NAMED} more come at another time.`,
  ])
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
