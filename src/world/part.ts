import type { World } from './world.ts'

/** What a layer above gives each world when it is opened, with the type that only the layer knows. `petri.ts` lists all. */
export interface Part<Value> {
  give(world: World, value: Value): void
  of(world: World): Value
}

export function part<Value extends object>(name: string): Part<Value> {
  const values = new WeakMap<World, Value>()
  return {
    give: (world, value) => void values.set(world, value),
    of(world) {
      // A world that inherits from another, as the one that listens for a trigger, has its parts.
      for (let each: World | null = world; each !== null; each = Object.getPrototypeOf(each)) {
        const value = values.get(each)
        if (value !== undefined) return value
      }
      throw new Error(`the world was opened without ${name}`)
    },
  }
}
