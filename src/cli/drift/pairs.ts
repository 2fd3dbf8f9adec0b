import { type Direction, type Found, fieldChanges, join, typeChange, valueChanges } from './changes.ts'
import { createShapes, type Node, nameOf, type Shape } from './shape.ts'

/** A named schema of the newer description with its counterpart in Petri's, and the pairs it refers to. */
export interface Pair {
  readonly title: string
  readonly found: Found[]
  readonly parts: Set<Pair>
}

export const newPair = (title: string, found: Found[] = []): Pair => ({ title, found, parts: new Set() })

/** The maximum number of compared pairs. */
const MAX_PAIRS = 50_000
/** The maximum nesting of schemas without names. */
const MAX_LEVELS = 64

/** Compares schemas of two descriptions; each pair of named schemas once. */
export function createPairs(newer: Node, served: Node) {
  const [newShapeOf, servedShapeOf] = [createShapes(newer), createShapes(served)]
  const idOf = createIds()
  const pairs = new Map<string, Pair>()
  const waiting: (() => void)[] = []
  /** The pair of these schemas; created once. */
  const pairOf = (title: string, direction: Direction, a: readonly Node[], b: readonly Node[]): Pair => {
    const key = `${direction} ${title} ${nameOf(served, b) ?? b.map(idOf).join()}`
    const known = pairs.get(key)
    if (known) return known
    if (pairs.size >= MAX_PAIRS) throw new Error('is too large to be compared')
    const pair = newPair(title)
    pairs.set(key, pair)
    waiting.push(() => content(pair, direction, '', newShapeOf(a), servedShapeOf(b), 0))
    return pair
  }
  const value = (
    ...[pair, direction, path, a, b, level = 0]: [
      Pair,
      Direction,
      string,
      readonly Node[],
      readonly Node[],
      number?,
    ]
  ): void => {
    const [newShape, oldShape] = [newShapeOf(a), servedShapeOf(b)]
    pair.found.push(...typeChange(path, newShape, oldShape))
    const name = nameOf(newer, a)
    if (name !== undefined) pair.parts.add(pairOf(name, direction, a, b))
    else content(pair, direction, path, newShape, oldShape, level + 1)
  }
  const content = (
    ...[pair, direction, path, a, b, level]: [Pair, Direction, string, Shape, Shape, number]
  ): void => {
    if (level > MAX_LEVELS) throw new Error('is nested too deep to be compared')
    pair.found.push(...valueChanges(path, a, b), ...fieldChanges(path, direction, a, b))
    const parts = [
      ...[...a.properties].map(
        ([name, { schemas }]) => [join(path, name), schemas, b.properties.get(name)?.schemas] as const,
      ),
      [`${path}[]`, a.items, b.items] as const,
      [join(path, '*'), a.entries, b.entries] as const,
    ]
    for (const [at, now, was = []] of parts)
      if (now.length > 0 && was.length > 0) value(pair, direction, at, now, was, level)
  }
  return {
    value,
    content: (pair: Pair, direction: Direction, a: readonly Node[], b: readonly Node[], except: string) =>
      content(pair, direction, '', without(newShapeOf(a), except), without(servedShapeOf(b), except), 0),
    /** Compares the pairs found so far, and the pairs they refer to. */
    finish() {
      for (let compare = waiting.pop(); compare; compare = waiting.pop()) compare()
    },
  }
}

const without = (shape: Shape, field: string): Shape => ({
  ...shape,
  properties: new Map([...shape.properties].filter(([name]) => name !== field)),
})

function createIds(): (node: Node) => number {
  const ids = new Map<Node, number>()
  return (node) => {
    const id = ids.get(node) ?? ids.size
    ids.set(node, id)
    return id
  }
}
