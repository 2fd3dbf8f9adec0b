import { DAY_MS, HOUR_MS } from '../../kernel/instant.ts'
import { connect } from '../../resources/connecting/service.ts'
import { findProvider } from '../../resources/providers/service.ts'
import { FeedReader, type FeedRecord, UNNAMED } from '../../scenarios/incidents/feed-record.ts'
import { events } from '../../world/events.ts'
import { openPlay } from './play-world.ts'

/** The provider of a record that names none. */
const USUAL_PROVIDER = 'fitbit'
/** Time that is played after the end of the record, so that its last data come. */
const REST_MS = 2 * HOUR_MS

/** Plays a feed scenario in a Petri in this process, and says how its data come otherwise than in the record. */
export async function playFeed(source: string, name: string, record: FeedRecord): Promise<string[]> {
  const { provider = USUAL_PROVIDER, began, ended } = record
  if (!findProvider(provider))
    return [`It was not played, because Petri does not know the provider ${provider}.`]
  const petri = await openPlay(began)
  try {
    const { world } = petri
    await petri.call('PUT', `/_petri/feeds/${name}`, { source })
    const { user_id } = await petri.call<{ readonly user_id: string }>('POST', '/v2/user', {
      client_user_id: 'player',
    })
    connect(world, user_id, provider, { demo: true, scenario: name })
    const reader = new FeedReader()
    const seen = new Set<string>()
    const until = ended + REST_MS
    for (let now = began; now < until; now += DAY_MS) {
      await world.agenda.advanceTo(Math.min(now + DAY_MS, until))
      for (const { id, at, payload } of world.db.all(events)) {
        if (!seen.has(id)) reader.add({ id, created_at: new Date(at).toISOString(), payload })
        seen.add(id)
      }
    }
    return differencesFrom(record, reader.finish())
  } finally {
    await petri.close()
  }
}

/** The longest difference of arrivals that counts as none, because Petri asks providers every two hours. */
const TOLERANCE_MS = 4 * HOUR_MS
/** The most dates that are named. */
const MAX_NAMED = 3

function differencesFrom({ arrivals, isTimed, began }: FeedRecord, played: FeedRecord): string[] {
  const sentences: string[] = []
  const named = [...arrivals].filter(([resource]) => resource !== UNNAMED)
  for (const [resource, dates] of named) {
    const others = played.arrivals.get(resource)
    if (!others) {
      sentences.push(`The record has ${resource}, but the played scenario has none.`)
      continue
    }
    // The history of a connection is not sent.
    const known = [...dates].filter(([date]) => Date.parse(date) + DAY_MS > began)
    const missing = known.filter(([date]) => !others.has(date))
    const late = known.filter(([date, at]) => {
      const other = others.get(date)
      return isTimed && other !== undefined && Math.abs(other - at) > TOLERANCE_MS
    })
    const more = [...others].filter(([date]) => !dates.has(date))
    if (missing.length > 0)
      sentences.push(`The record has ${resource} for ${datesOf(missing)}, but the played scenario has none.`)
    if (more.length > 0)
      sentences.push(`The played scenario has ${resource} for ${datesOf(more)}, but the record has none.`)
    if (late.length > 0)
      sentences.push(
        `Played, ${resource} for ${datesOf(late)} arrive at a different time than in the record.`,
      )
  }
  const extra = [...played.arrivals.keys()].filter((resource) => !arrivals.has(resource))
  if (extra.length > 0 && named.length > 0)
    sentences.push(`The played scenario also has ${extra.join(', ')}, but the record has none.`)
  return sentences
}

const datesOf = (dates: readonly (readonly [date: string, at: number])[]) => {
  const shown = dates.slice(0, MAX_NAMED).map(([date]) => date)
  const rest = dates.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}
