import { type Difference, operationChanges } from './changes.ts'
import type { DescribedOperation, Description } from './description.ts'
import { createPairs, newPair, type Pair } from './pairs.ts'
import type { Node } from './shape.ts'

/** The most pairs that are counted, once for each operation and event that uses them. */
const MOST_STEPS = 2_000_000

/** Throws an Error in words if the newer description is too large to be compared. */
export function compareDescriptions(newer: Description, served: Description): Difference[] {
  const compare = createComparison(newer.document, served.document)
  const users = new Map<Pair, string[]>()
  let steps = 0
  const report = (user: string, pair: Pair) => {
    for (const each of withParts(pair)) {
      if (++steps > MOST_STEPS) throw new Error('is too large to be compared')
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
  // A description without events, such as that of the management API, says nothing of them.
  for (const [name, schemas] of newer.events) {
    const counterpart = served.events.get(name)
    report(name, counterpart ? compare.event(name, schemas, counterpart) : whole(name, 'event', 'added'))
  }
  for (const name of newer.events.size > 0 ? served.events.keys() : [])
    if (!newer.events.has(name)) report(name, whole(name, 'event', 'gone'))
  return differencesOf(users)
}

/** One schema may stand beside several of Petri's, so that the same is found more than once. */
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

/** What Petri serves of the same API: the service's or the management's. */
function partsServed(newer: Description, served: Description): Map<string, DescribedOperation> {
  const operations = [...served.operations]
  const parts = [true, false].filter((management) =>
    operations.some(([key, { isManagement }]) => isManagement === management && newer.operations.has(key)),
  )
  return new Map(operations.filter(([, { isManagement }]) => parts.includes(isManagement)))
}

function withParts(pair: Pair): Set<Pair> {
  const all = new Set([pair])
  // A set takes what is added to it while it is gone through.
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
      // One schema may stand for several events, so the values of its event_type are not compared.
      compare.content(pair, 'answer', a, b, 'event_type')
      compare.finish()
      return pair
    },
  }
}
