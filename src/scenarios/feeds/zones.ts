import type { FeedEffects } from '../../api/scenarios.ts'
import { localDate, localDay, nextDate } from '../../kernel/local-day.ts'
import type { Chapter } from './table.ts'

/** Where a wearer is after a date, the last before any. */
interface Stay {
  readonly zone: string
  /** The last local date spent elsewhere; empty for none. */
  readonly after: string
  /** The first instant spent there, in milliseconds since 1970. */
  readonly from: number
}

/** Where a wearer spends which days: one travels between two local days. */
export function zonesOf(
  chapters: readonly Chapter[],
  home: string,
): Pick<FeedEffects, 'zoneOn' | 'dateAt'> & { readonly home: string } {
  const stays = staysOf(chapters, home)
  return {
    home,
    zoneOn: (date) => stays.findLast(({ after }) => after < date)?.zone ?? home,
    dateAt(instant) {
      const at = stays.findLastIndex(({ from }) => from <= instant)
      const date = localDate(stays[at]?.zone ?? home, instant)
      // After a day's midnight and before the next day begins elsewhere, it is still that day.
      const next = stays[at + 1]
      return next && date > next.after ? next.after : date
    },
  }
}

function staysOf(chapters: readonly Chapter[], home: string): Stay[] {
  const stays: Stay[] = [{ zone: home, after: '', from: Number.NEGATIVE_INFINITY }]
  for (const { began, ended, whole, steps } of chapters) {
    for (const step of steps) {
      const at = began + step.atMs
      if (step.verb !== 'time_zone' || (ended !== null && at >= ended)) continue
      if (whole && step.atMs === 0) {
        stays.splice(0, stays.length, { zone: step.zone, after: '', from: Number.NEGATIVE_INFINITY })
        continue
      }
      const after = localDate(stays.at(-1)?.zone ?? home, at)
      stays.push({ zone: step.zone, after, from: localDay(step.zone, nextDate(after)).start })
    }
  }
  return stays
}
