import type { World } from '../../world/world.ts'

/** The bodies of the events that `announce` would emit; nothing is emitted. */
export function bodiesOf(world: World, announce: (listening: World) => void): object[] {
  const bodies: object[] = []
  const emit: World['emit'] = (_type, _subject, data) => void bodies.push(data)
  announce(Object.create(world, { emit: { value: emit } }) as World)
  return bodies
}
