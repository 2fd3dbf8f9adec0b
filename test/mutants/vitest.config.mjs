import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { chosenArea } from './areas.mjs'
import { keptWorker } from './kept-worker.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const src = join(here, '../../src')

/** What remembers something for the whole process, and what takes its place. */
const doubles = {
  [join(src, 'kernel/once.ts')]: join(here, 'fresh/once.ts'),
  [join(src, 'scenarios/folders.ts')]: join(here, 'fresh/folders.ts'),
}
/** People's hidden values are remembered by tables that live as long as the process. */
const keptOfPeople = { [join(src, 'kernel/kept.ts')]: join(here, 'fresh/kept.ts') }
/** What makes the Petri of most tests, and the catalogue that they share. */
const testPetri = join(here, '../support/petri.ts')
const catalogue = join(src, 'resources/catalogue/service.ts')
/** Seeds, faker and the like take long to load, and no mutant is in them. */
const remembering = ['kernel', 'http', 'resources/catalogue'].map((folder) => join(src, folder))

/** Nothing that was made while one mutant was switched on may be used while the next one is. */
const freshModules = {
  name: 'fresh-modules',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === testPetri && resolve(dirname(importer), source) === catalogue)
      return join(here, 'fresh/catalogue.ts')
    if (!importer?.startsWith(src) || remembering.some((folder) => importer.startsWith(folder)))
      return undefined
    const path = resolve(dirname(importer), source)
    return importer.startsWith(join(src, 'people')) ? (keptOfPeople[path] ?? doubles[path]) : doubles[path]
  },
}

const { tests } = chosenArea()

/** Keeps the order of the list, in which fast tests come first: most mutants are killed by one of them. */
class ListedOrder extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) =>
      tests.findIndex((entry) => moduleId.includes(`/test/${entry.replace('*', '')}`))
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId))
  }
}

export default defineConfig({
  plugins: [keptWorker, freshModules],
  test: {
    include: tests.map((entry) => `test/${entry}.test.ts`),
    setupFiles: ['test/support/closed-network.ts', 'test/support/matchers.ts', 'test/mutants/fresh/setup.ts'],
    tags: [{ name: 'slow' }],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: ListedOrder },
    // Stryker's own setup file is inside node_modules with its copy of the project; it runs again for each mutant.
    server: { deps: { inline: [/stryker-setup/] } },
  },
})
