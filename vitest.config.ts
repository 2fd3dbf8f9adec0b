import { defineConfig } from 'vitest/config'

/** Tests that replace a module of Node, which files that share their modules cannot. */
const isolated = ['test/api/full-disk.test.ts']
const browser = ['test/browser/**/*.test.ts']
/** What measures how fast the page is has the machine for itself. */
const load = ['test/browser/load.test.ts']

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
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...isolated, ...browser],
          // Nothing at the top of a module is ever altered, so files may share their modules.
          isolate: false,
        },
      },
      // After the others, because workers that share their modules end where the files of another project begin.
      {
        extends: true,
        test: { ...shared, name: 'isolated', include: isolated, sequence: { groupOrder: 1 } },
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
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'browser-load',
          include: load,
          globalSetup: [...shared.globalSetup, 'test/browser/setup.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
