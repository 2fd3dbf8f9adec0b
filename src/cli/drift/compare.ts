import { type Difference, operationChanges } from './changes.ts'
import type { DescribedOperation, Description } from './description.ts'
import { createPairs, newPair, type Pair } from './pairs.ts'
import type { Node } from './shape.ts'

/** The maximum number of visited pairs, summed over all operations and events. */
const MAX_STEPS = 2_000_000

/** Compares two descriptions. Throws a readable Error if the newer one is too large. */
export function compareDescriptions(newer: Description, served: Description): Difference[] {
  const compare = createComparison(newer.document, served.document)
  const users = new Map<Pair, string[]>()
  let steps = 0
  const report = (user: string, pair: Pair) => {
    for (const each of withParts(pair)) {
      if (++steps > MAX_STEPS) throw new Error('is too large to be compared')
      const known = users.get(each)
      if (known) known.push(user)
      else users.set(each, [user])
    }
  }
  const operations = partsServed(newer, served)
  for (const [key, operation] of newer.operations) {
    const { route } = operation
    const counterpart = operations.get(key)
    report(
      route,
      counterpart ? compare.operation(operation, counterpart) : whole(route, 'operation', 'added'),
    )
  }
  for (const [key, { route }] of operations)
    if (!newer.operations.has(key)) report(route, whole(route, 'operation', 'gone'))
  // A description without any events, such as that of the management API, cannot be compared in them.
  for (const [name, schemas] of newer.events) {
    const counterpart = served.events.get(name)
    report(name, counterpart ? compare.event(name, schemas, counterpart) : whole(name, 'event', 'added'))
  }
  for (const name of newer.events.size > 0 ? served.events.keys() : [])
    if (!newer.events.has(name)) report(name, whole(name, 'event', 'gone'))
  return differencesOf(users)
}

/** The differences without duplicates: one schema may be compared with several of Petri's. */
function differencesOf(users: ReadonlyMap<Pair, readonly string[]>): Difference[] {
  const differences = new Map<string, Difference>()
  for (const [{ title, found }, used_by] of users) {
    for (const each of found) {
      const key = JSON.stringify([title, each])
      const all = new Set([...(differences.get(key)?.used_by ?? []), ...used_by])
      differences.set(key, { ...each, where: title, used_by: [...all] })
    }
  }
  return [...differences.values()]
}

const whole = (title: string, kind: 'operation' | 'event', change: 'added' | 'gone'): Pair =>
  newPair(title, [{ kind, change, path: '', detail: '' }])

/** Petri's operations of the same API: team API or management API. */
function partsServed(newer: Description, served: Description): Map<string, DescribedOperation> {
  const operations = [...served.operations]
  const parts = [true, false].filter((management) =>
    operations.some(([key, { isManagement }]) => isManagement === management && newer.operations.has(key)),
  )
  return new Map(operations.filter(([, { isManagement }]) => parts.includes(isManagement)))
}

function withParts(pair: Pair): Set<Pair> {
  const all = new Set([pair])
  // Iterating a set includes elements that are added meanwhile.
  for (const each of all) for (const part of each.parts) all.add(part)
  return all
}

function createComparison(newer: Node, served: Node) {
  const compare = createPairs(newer, served)
  return {
    operation(a: DescribedOperation, b: DescribedOperation): Pair {
      const pair = newPair(a.route, operationChanges(a, b))
      for (const [name, { schemas }] of a.parameters) {
        const counterpart = b.parameters.get(name)
        if (counterpart) compare.value(pair, 'request', name, schemas, counterpart.schemas)
      }
      for (const direction of ['request', 'answer'] as const) {
        const [now, was] = [a[direction], b[direction]]
        if (now.length > 0 && was.length > 0) compare.value(pair, direction, direction, now, was)
      }
      compare.finish()
      return pair
    },
    event(name: string, a: readonly Node[], b: readonly Node[]): Pair {
      const pair = newPair(name)
      // One schema may describe several events, so the values of `event_type` are not compared.
      compare.content(pair, 'answer', a, b, 'event_type')
      compare.finish()
      return pair
    },
  }
}
