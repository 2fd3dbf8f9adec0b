import habits from '../../seeds/people/habits.json' with { type: 'json' }
import { connections } from '../../src/resources/connections/table.ts'
import type { TestPetri } from './petri.ts'
import { eventsOf } from './petri.ts'

export interface Told {
  readonly event_type: string
  readonly user_id: string
  readonly client_user_id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  readonly data: any
}

/** What only some people have data of. */
export const resourcesOfSome: readonly string[] = Object.values(habits).flatMap(({ resources }) => resources)

/** The bodies of a world's events, oldest first. */
export const told = (petri: TestPetri): Told[] => eventsOf(petri).map(({ payload }) => payload as Told)

export const toldOf = (petri: TestPetri, type: string): Told[] =>
  told(petri).filter(({ event_type }) => event_type === type)

export const advance = (petri: TestPetri, ms: number) =>
  petri.world().agenda.advanceTo(petri.world().clock.now() + ms)

/** A user connected to providers, whose data can be read before they are announced: a test of what is in them need not wait. */
export async function wearer(
  petri: TestPetri,
  providers: readonly string[] = ['fitbit'],
  body: object = {},
): Promise<string> {
  const user = await petri.post('/v2/user', { client_user_id: 'ada', ...body })
  for (const provider of providers)
    await petri.post('/v2/link/connect/demo', { user_id: user.body.user_id, provider })
  openData(petri, user.body.user_id)
  return user.body.user_id
}

/** Lets the data of a user's connections be read before any of them are announced. */
export function openData(petri: TestPetri, userId: string): void {
  const { db } = petri.world()
  for (const connection of db.by(connections, 'user', userId)) {
    if (connection.periods.at(-1)?.arrivals?.length) continue
    const periods = connection.periods.map(({ arrivals: _, ...period }) => period)
    db.put(connections, { ...connection, periods })
  }
}

export const put = (petri: TestPetri, userId: string, body: object) =>
  petri.post(`/_petri/users/${userId}/data`, body)
