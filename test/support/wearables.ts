import { events } from '../../src/world/events.ts'
import type { TestPetri } from './petri.ts'

export interface Told {
  readonly event_type: string
  readonly user_id: string
  readonly client_user_id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  readonly data: any
}

/** The bodies of a world's events, oldest first. */
export const told = (petri: TestPetri): Told[] =>
  [...petri.world().db.all(events)].map(({ payload }) => payload as Told)

export const toldOf = (petri: TestPetri, type: string): Told[] =>
  told(petri).filter(({ event_type }) => event_type === type)

export const advance = (petri: TestPetri, ms: number) =>
  petri.world().agenda.advanceTo(petri.world().clock.now() + ms)

/** A user connected to providers. */
export async function wearer(
  petri: TestPetri,
  providers: readonly string[] = ['fitbit'],
  body: object = {},
): Promise<string> {
  const user = await petri.post('/v2/user', { client_user_id: 'ada', ...body })
  for (const provider of providers)
    await petri.post('/v2/link/connect/demo', { user_id: user.body.user_id, provider })
  return user.body.user_id
}

export const put = (petri: TestPetri, userId: string, body: object) =>
  petri.post(`/_petri/users/${userId}/data`, body)
