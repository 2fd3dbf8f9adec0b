import { isObject, mapTexts } from '../../src/kernel/json.ts'
import { UUIDS } from '../../src/kernel/uuid.ts'

const isUuid = (text: string) => text.length === 36 && text.replace(UUIDS, '') === ''

export type Pairs = ReturnType<typeof createPairs>

/** Which id of one service stands for which of the other. */
export function createPairs() {
  const ownNames = new Map<string, string>()
  const otherNames = new Map<string, string>()

  /** Makes two ids a pair, unless one of them is of another pair. */
  function add(own: string, other: string): void {
    if (ownNames.has(own) || otherNames.has(other)) return
    const name = `<id ${ownNames.size + 1}>`
    ownNames.set(own, name)
    otherNames.set(other, name)
  }

  function pair(own: unknown, other: unknown): void {
    if (typeof own === 'string' && typeof other === 'string') {
      if (isUuid(own) && isUuid(other)) add(own, other)
    } else if (Array.isArray(own) && Array.isArray(other)) {
      own.forEach((item, at) => {
        pair(item, other[at])
      })
    } else if (isObject(own) && isObject(other)) {
      for (const [name, value] of Object.entries(own)) pair(value, other[name])
    }
  }

  return {
    add,
    /** Pairs the ids at the same places of two bodies, and returns the bodies with the name of each pair in place of its ids. */
    name(own: unknown, other: unknown): [own: unknown, other: unknown] {
      pair(own, other)
      return [named(own, ownNames), named(other, otherNames)]
    },
  }
}

const named = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  mapTexts(value, (text) => text.replace(UUIDS, (id) => names.get(id) ?? '<id>'))
