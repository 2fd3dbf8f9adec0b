import { DAY_MS } from '../../../kernel/instant.ts'
import type { Person } from './person.ts'

const dayNumber = (date: string) => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS)

/** How many days before a date the last period began; undefined for users without periods. */
export function daysIntoCycle({ cycleDays, cyclePhase }: Person, date: string): number | undefined {
  if (cycleDays === null) return undefined
  const since = (dayNumber(date) - cyclePhase) % cycleDays
  return since < 0 ? since + cycleDays : since
}

export const daysLater = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10)
