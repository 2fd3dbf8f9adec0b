import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const browser = ['test/browser/**/*.test.ts']
/** What measures how fast the page is has the machine for itself. */
const load = ['test/browser/load.test.ts']

/**
 * Begins with the files that start processes, which take longest: at the end both workers have short ones. Within these it is
 * as Vitest has it, by the time they took before or else by size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => Number(!moduleId.includes('/test/e2e/'))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const shared = {
  globalSetup: ['test/support/temporary-folder.ts'],
  setupFiles: ['test/support/closed-network.ts'],
  // Long enough for a machine that is busy with other things.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  pool: 'forks' as const,
  // Tests make much garbage that is young: a larger nursery is emptied less often.
  execArgv: ['--max-semi-space-size=64'],
}

export default defineConfig({
  // As tsconfig.page.json has it.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // As many as the smallest machine has cores; left to itself, one fewer.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: browser,
          // Nothing at the top of a module is ever altered, so files may share their modules.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'browser',
          include: browser,
          exclude: load,
          globalSetup: [...shared.globalSetup, 'test/browser/setup.ts'],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'browser-load',
          include: load,
          globalSetup: [...shared.globalSetup, 'test/browser/setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
