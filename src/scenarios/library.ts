import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { Story } from './file.ts'
import type { Gallery } from './repository.ts'
import { type UploadedStory, uploadedStories } from './table.ts'

/** The stories of a world: those every world is born with, and before them its own. */
export interface Library {
  names(world?: World): readonly string[]
  find(world: World, name: string): Story | undefined
  /** The story of this name, or a refusal that names the nearest. */
  get(world: World, name: string): Story
  all(world: World): Story[]
  /** The story whose magic ZIP this is. */
  byZip(world: World, zip: string): Story | undefined
  isUploaded(world: World, name: string): boolean
}

/** The most uploaded stories that are kept read. */
const MOST_READ = 500

export function createLibrary(gallery: Gallery): Library {
  const read = new Map<string, Story>()
  const storyOf = ({ name, source }: UploadedStory): Story => {
    const known = read.get(source)
    if (known) return known
    const story = gallery.read(source, name)
    if (read.size >= MOST_READ) read.clear()
    read.set(source, story)
    return story
  }
  const names = (world?: World) =>
    world ? [...new Set([...gallery.names(), ...world.db.ids(uploadedStories)])].sort() : gallery.names()
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploadedStories, name)
    return uploaded ? storyOf(uploaded) : gallery.find(name)
  }
  const isUploaded = (world: World, name: string) => world.db.has(uploadedStories, name)
  return {
    names,
    find,
    get(world, name) {
      const story = find(world, name)
      if (story) return story
      const hint = didYouMean(name, names(world))
      throw new Problem('bad_request', `There is no scenario "${name}".${hint}`)
    },
    all: (world) => names(world).flatMap((name) => find(world, name) ?? []),
    byZip(world, zip) {
      for (const uploaded of world.db.all(uploadedStories)) {
        if (uploaded.zip === zip) return storyOf(uploaded)
      }
      const story = gallery.byZip(zip)
      return story && !isUploaded(world, story.name) ? story : undefined
    },
    isUploaded,
  }
}
