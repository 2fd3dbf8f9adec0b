import type { Storyteller, StoryWish } from '../contract/stories.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { Story } from './file.ts'
import type { Gallery } from './gallery.ts'
import { beginStory, goOn, leaveStory } from './run.ts'
import { userStories } from './table.ts'

/** The part of Petri that tells orders what happens to them. */
export interface ScenarioTeller extends Storyteller {
  readonly gallery: Gallery
  /** The story of this name, or a refusal that names the nearest. */
  get(world: World, name: string): Story
}

export function createStoryteller(gallery: Gallery): ScenarioTeller {
  const names = () => gallery.names()
  const get = (_world: World, name: string): Story => {
    const story = gallery.find(name)
    if (!story)
      throw new Problem('bad_request', `There is no scenario "${name}".${didYouMean(name, names())}`)
    return story
  }
  return {
    gallery,
    get,
    ready: () => gallery.ready(),
    names,
    choose: (world, wish) => chooseStory(world, wish, gallery, (name) => get(world, name)),
    begin: (world, orderId, story) => beginStory(world, orderId, get(world, story)),
    happened: (world, orderId) => goOn(world, orderId, (name) => gallery.find(name)),
    leave: (world, orderId, because) => leaveStory(world, orderId, because, (name) => gallery.find(name)),
  }
}

/** First that answers: the name asked for, a magic ZIP, the user's story, the world's. */
function chooseStory(
  world: World,
  { asked, method, zip, userId }: StoryWish,
  gallery: Gallery,
  get: (name: string) => Story,
): string {
  if (asked !== undefined) {
    const story = get(asked)
    if (story.method === method || story.steps.length === 0) return story.name
    throw new Problem(
      'bad_request',
      `The scenario "${asked}" is for ${story.method}, and this order is ${method}.`,
    )
  }
  const byZip = zip === undefined ? undefined : gallery.byZip(zip.slice(0, 5))
  if (byZip?.method === method) return byZip.name
  const usual = world.db.find(userStories, userId)?.story ?? world.settings().scenario
  return get(usual).method === method || get(usual).steps.length === 0 ? usual : 'manual'
}
