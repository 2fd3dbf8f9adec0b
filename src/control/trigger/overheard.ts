import type { World } from '../../world/world.ts'

/** Collects the bodies of the events that `run` would announce, without announcing them. */
export function bodiesOf(world: World, tell: (listening: World) => void): object[] {
  const bodies: object[] = []
  const emit: World['emit'] = (_type, _subject, data) => void bodies.push(data)
  tell(Object.create(world, { emit: { value: emit } }) as World)
  return bodies
}
