import type { Storyteller, StoryWish } from '../contract/stories.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { Story } from './file.ts'
import type { Gallery } from './gallery.ts'
import { beginStory, goOn, leaveStory, STEP } from './run.ts'
import { orderStories, type UploadedStory, uploadedStories, userStories } from './table.ts'

/** The part of Petri that tells orders what happens to them. */
export interface ScenarioTeller extends Storyteller {
  /** A world's own story goes before one every world is born with. */
  find(world: World, name: string): Story | undefined
  /** The story of this name, or a refusal that names the nearest. */
  get(world: World, name: string): Story
  all(world: World): Story[]
  /** Reads a story that has this name; throws a ScenarioError where it is wrong. */
  read(source: string, name: string): Story
  isUploaded(world: World, name: string): boolean
  /** Gives a story to a world. Orders that follow another of its name leave that. */
  upload(world: World, story: Story): void
  /** Takes an uploaded story away again. */
  remove(world: World, name: string): void
}

export function createStoryteller(gallery: Gallery): ScenarioTeller {
  const read = new Map<string, Story>()
  const storyOf = ({ name, source }: UploadedStory): Story => {
    const known = read.get(source)
    if (known) return known
    const story = gallery.read(source, name)
    if (read.size >= MOST_READ) read.clear()
    read.set(source, story)
    return story
  }
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploadedStories, name)
    return uploaded ? storyOf(uploaded) : gallery.find(name)
  }
  const names = (world?: World) =>
    world ? [...new Set([...gallery.names(), ...world.db.ids(uploadedStories)])].sort() : gallery.names()
  const get = (world: World, name: string): Story => {
    const story = find(world, name)
    if (!story)
      throw new Problem('bad_request', `There is no scenario "${name}".${didYouMean(name, names(world))}`)
    return story
  }
  const byZip = (world: World, zip: string): Story | undefined => {
    for (const uploaded of world.db.all(uploadedStories)) if (uploaded.zip === zip) return storyOf(uploaded)
    const story = gallery.byZip(zip)
    return story && !world.db.has(uploadedStories, story.name) ? story : undefined
  }
  const leave = (world: World, orderId: string, because: string) =>
    leaveStory(world, orderId, because, (name) => find(world, name))
  const leaveAll = (world: World, name: string, because: string) => {
    for (const { order_id, story, waits, left } of [...world.db.all(orderStories)]) {
      const isUnderWay = !left && (waits !== undefined || world.agenda.find(STEP, order_id) !== undefined)
      if (story === name && isUnderWay) leave(world, order_id, because)
    }
  }
  return {
    find,
    get,
    ready: () => gallery.ready(),
    names,
    all: (world) => names(world).flatMap((name) => find(world, name) ?? []),
    read: gallery.read,
    isUploaded: (world, name) => world.db.has(uploadedStories, name),
    upload(world, { name, source, zip }) {
      if (world.db.find(uploadedStories, name)?.source === source) return
      leaveAll(world, name, `another ${name} was uploaded`)
      world.db.put(uploadedStories, { name, source, zip: zip ?? null })
    },
    remove(world, name) {
      leaveAll(world, name, `${name} was removed`)
      world.db.delete(uploadedStories, name)
    },
    choose: (world, wish) =>
      chooseStory(world, wish, { byZip: (zip) => byZip(world, zip), get: (name) => get(world, name) }),
    begin: (world, orderId, story) => beginStory(world, orderId, get(world, story)),
    happened: (world, orderId) => goOn(world, orderId, (name) => find(world, name)),
    leave,
  }
}

/** The most uploaded stories that are kept read. */
const MOST_READ = 500

interface Stories {
  get(name: string): Story
  byZip(zip: string): Story | undefined
}

/** First that answers: the name asked for, a magic ZIP, the user's story, the world's. */
function chooseStory(
  world: World,
  { asked, method, zip, userId }: StoryWish,
  { get, byZip }: Stories,
): string {
  if (asked !== undefined) {
    const story = get(asked)
    if (story.method === method || story.steps.length === 0) return story.name
    throw new Problem(
      'bad_request',
      `The scenario "${asked}" is for ${story.method}, and this order is ${method}.`,
    )
  }
  const magic = zip === undefined ? undefined : byZip(zip.slice(0, 5))
  if (magic?.method === method) return magic.name
  const usual = world.db.find(userStories, userId)?.story ?? world.settings().scenario
  return get(usual).method === method || get(usual).steps.length === 0 ? usual : 'manual'
}
