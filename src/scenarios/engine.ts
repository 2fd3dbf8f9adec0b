import type { Storyteller, StoryWish } from '../api/scenarios.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { Story } from './file.ts'
import { createLibrary, type Library } from './library.ts'
import type { Gallery } from './repository.ts'
import { BEGIN, beginStory, goOn, leaveStory, STEP } from './run.ts'
import { orderStories, uploadedStories, userStories } from './table.ts'

/** The part of Petri that tells orders what happens to them. */
export interface ScenarioTeller extends Storyteller, Omit<Library, 'byZip'> {
  names(world?: World): readonly string[]
  /** Reads a story that has this name; throws a ScenarioError where it is wrong. */
  read(source: string, name: string): Story
  /** Gives a story to a world. Orders that follow another of its name leave that. */
  upload(world: World, story: Story): void
  /** Takes an uploaded story away again. */
  remove(world: World, name: string): void
}

export function createStoryteller(gallery: Gallery): ScenarioTeller {
  const library = createLibrary(gallery)
  const { find, get, byZip } = library
  const leave = (world: World, orderId: string, because: string) =>
    leaveStory(world, orderId, because, (name) => find(world, name))
  const leaveAll = (world: World, name: string, because: string) => {
    for (const { order_id, story, waits, left } of [...world.db.all(orderStories)]) {
      const isUnderWay = !left && (waits !== undefined || world.agenda.find(STEP, order_id) !== undefined)
      if (story === name && isUnderWay) leave(world, order_id, because)
    }
  }
  return {
    ...library,
    ready: () => gallery.ready(),
    read: gallery.read,
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
      chooseStory(world, wish, {
        byZip: (zip) => byZip(world, zip),
        get: (name) => get(world, name),
        find: (name) => find(world, name),
      }),
    begin(world, orderId, story) {
      const reading = gallery.ready()
      if (!reading) return beginStory(world, orderId, get(world, story))
      reading.catch(() => undefined)
      world.agenda.add({ due: world.clock.now(), kind: BEGIN, subject: orderId, data: { story } })
    },
    happened: (world, orderId, what) => goOn(world, orderId, what, (name) => find(world, name)),
    leave,
  }
}

interface Stories {
  get(name: string): Story
  find(name: string): Story | undefined
  byZip(zip: string): Story | undefined
}

/** First that answers: the name asked for, a magic ZIP, the user's story, the world's. */
function chooseStory(
  world: World,
  { asked, method, zip, userId }: StoryWish,
  { get, find, byZip }: Stories,
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
  if (get(usual).method === method || get(usual).steps.length === 0) return usual
  return inMethod(usual, method, find)
}

/** The first word of the names of stories that are not about kits. */
const prefixes: Readonly<Record<string, string>> = {
  walk_in_test: 'walk-in',
  at_home_phlebotomy: 'at-home',
  on_site_collection: 'on-site',
}

/** The like of a story in another method: `walk-in-slow-lab` for `slow-lab`, else that method's happy path. */
function inMethod(usual: string, method: string, find: Stories['find']): string {
  const plain = Object.values(prefixes).reduce((name, prefix) => name.replace(`${prefix}-`, ''), usual)
  const prefix = prefixes[method]
  const names = [plain, 'happy-path'].map((name) => (prefix ? `${prefix}-${name}` : name))
  return names.find((name) => find(name)?.method === method) ?? 'manual'
}
