import { chosenArea } from './areas.mjs'

const { name, mutate, atLeast = 85 } = chosenArea()
const cache = 'node_modules/.cache/petri/mutants'

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutants/vitest.config.mjs', related: false },
  mutate,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  incremental: true,
  incrementalFile: `${cache}/${name}.json`,
  // A link to a folder, which cannot be copied.
  ignorePatterns: ['.claude'],
  tempDirName: `${cache}/sandbox`,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `${cache}/${name}-report.json` },
  thresholds: { high: 95, low: atLeast, break: atLeast },
  // What runs only when a module is loaded cannot be switched on by one test.
  ignoreStatic: true,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 30,
  tsconfigFile: 'tsconfig.mutants.json',
}
