import type { Route } from '../../src/api/operation.ts'
import { isObject, listIn, objectIn } from '../../src/kernel/json.ts'
import type { Reply } from '../../src/tools/team-api.ts'
import type { ObjectPair, OnBothSides } from './objects.ts'

/** The keys with which an appointment is booked at the same time on both sides, if both offer one. */
export type TimePair = OnBothSides<string>

/** The times that were offered for appointments. */
export function createTimes() {
  const offered = new Map<string, TimePair[]>()
  const nameOf = (route: Route, { own }: ObjectPair) => `${route} ${own}`
  return {
    learn: (route: Route, { own, other }: OnBothSides<Reply>, order: ObjectPair) =>
      void offered.set(nameOf(route, order), pairTimes(timesIn(own.body), timesIn(other.body))),
    /** The latest time that was offered for an order and not taken yet. */
    take: (route: Route, order: ObjectPair) => offered.get(nameOf(route, order))?.pop(),
  }
}

/** The keys of the times by place and start. */
function timesIn(body: unknown): Map<string, string> {
  const keys = new Map<string, string>()
  for (const day of listIn(objectIn(body).slots)) {
    const { location, slots } = objectIn(day)
    const place = objectIn(location).code ?? ''
    for (const slot of listIn(slots)) {
      if (isObject(slot) && typeof slot.booking_key === 'string')
        keys.set(`${place} ${Date.parse(String(slot.start))}`, slot.booking_key)
    }
  }
  return keys
}

/** The times that both services offer; by their positions if there are none. */
function pairTimes(own: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): TimePair[] {
  const common = [...own].flatMap(([name, key]) => {
    const counterpart = other.get(name)
    return counterpart === undefined ? [] : [{ own: key, other: counterpart }]
  })
  if (common.length > 0) return common
  const others = [...other.values()]
  return [...own.values()].flatMap((key, at) => {
    const counterpart = others[at]
    return counterpart === undefined ? [] : [{ own: key, other: counterpart }]
  })
}
