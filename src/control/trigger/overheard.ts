import type { World } from '../../world/world.ts'

/** The bodies of the events that something would tell of; nobody is told. */
export function bodiesOf(world: World, tell: (listening: World) => void): object[] {
  const bodies: object[] = []
  const emit: World['emit'] = (_type, _subject, data) => void bodies.push(data)
  tell(Object.create(world, { emit: { value: emit } }) as World)
  return bodies
}
