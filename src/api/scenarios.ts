import type { World } from '../world/world.ts'

/** What a story is chosen by. */
export interface StoryWish {
  /** The name asked for with the creating call. */
  readonly asked: string | undefined
  readonly method: string
  readonly zip: string | undefined
  readonly userId: string
}

/** How orders and their stories speak to each other; the stories themselves live above, in `scenarios/`. */
export interface Storyteller {
  /** Resolves once the stories are read; what follows then needs no waiting. */
  ready(): Promise<void> | undefined
  /** Every story the orders of this world can follow; without a world, those that each world is born with. */
  names(world?: World): readonly string[]
  /** The name of the story an order would follow. Throws when the one asked for is unknown or of another method. */
  choose(world: World, wish: StoryWish): string
  begin(world: World, orderId: string, story: string): void
  /** Goes on with a story that was waiting for this. */
  happened(world: World, orderId: string, what: 'registration' | 'appointment'): void
  /** Takes the order out of its story; what was left of it is dropped. */
  leave(world: World, orderId: string, because: string): void
}

declare module '../world/world.ts' {
  interface WorldParts {
    readonly stories: Storyteller
  }
}
