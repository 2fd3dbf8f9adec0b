import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const browser = ['test/browser/**/*.test.ts']
/** Programs in other languages and runtimes, every command, as the documentation prints it too, and kills: minutes of starting processes. */
const programs = ['test/programs/*.test.ts']
/** Speed is measured while nothing else runs. */
const load = ['test/browser/load.test.ts']

const long = /\/test\/(e2e|explore)\/|\/everybody\.test/

/**
 * Runs the longest files first, which start processes, play many histories or visit every view, because they would leave
 * one worker idle at the end. The rest keeps Vitest's order: by earlier duration, else by size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => Number(!long.test(moduleId))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** As in test/support/rounds.ts: tests that repeat more have more time. */
const rounds = Number(process.env.TEST_ROUNDS ?? 1)

const shared = {
  globalSetup: ['test/support/temporary-folder.ts'],
  setupFiles: ['test/support/closed-network.ts', 'test/support/matchers.ts', 'test/support/properties.ts'],
  // Tests that do much have a timeout of their own, beside the reason.
  testTimeout: 20_000 * rounds,
  hookTimeout: 20_000 * rounds,
  pool: 'forks' as const,
  // Tests make much short-lived garbage: a larger nursery is collected less often.
  execArgv: ['--max-semi-space-size=64'],
}

export default defineConfig({
  // As in src/page/tsconfig.json.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // The smallest machine has two cores; Vitest's default is one fewer.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true },
    tags: [{ name: 'slow', description: 'Takes 0.2 s or more on a quiet machine: left out of npm test.' }],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...browser, ...programs, '**/node_modules/**'],
          // No test changes a module's state, so files may share their modules.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...shared, name: 'programs', include: programs, isolate: false },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'browser',
          // A browser takes seconds to start.
          hookTimeout: 60_000,
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
          hookTimeout: 60_000,
          include: load,
          globalSetup: [...shared.globalSetup, 'test/browser/setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
