import { expect } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { storedSummaries } from '../../src/resources/summaries/table.ts'
import { ok, type TestPetri } from './petri.ts'
import { put } from './wearables.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into summaries of every shape.
export type Item = any

export const sport = { id: 57, name: 'Other', slug: 'other' }

/** A workout as it is put in, from one instant for half an hour. */
export const workout = (start: string) => ({
  time_start: start,
  time_end: new Date(Date.parse(start) + HOUR_MS / 2).toISOString(),
  sport,
})

/** A night as it is put in. */
export const night = {
  bedtime_start: '2026-01-02T22:00:00+00:00',
  bedtime_stop: '2026-01-03T06:00:00+00:00',
  type: 'long_sleep',
  duration: 28_800,
  total: 28_800,
  awake: 0,
  light: 28_800,
  rem: 0,
  deep: 0,
}

export async function listSummaries(
  petri: TestPetri,
  userId: string,
  resource: string,
  query = 'start_date=2025-12-01',
): Promise<Item[]> {
  const body = await ok(petri.get(`/v2/summary/${resource}/${userId}?${query}`))
  return Object.values(body)[0] as Item[]
}

/** Puts a summary in, and reads what is then stored. */
export async function storeSummary(petri: TestPetri, userId: string, body: object): Promise<Item> {
  const answer = await put(petri, userId, body)
  expect(answer).toAnswer(200)
  return { ...answer.body, row: petri.world().db.find(storedSummaries, answer.body.id) }
}
