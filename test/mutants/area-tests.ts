import { describe, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    areaTests: readonly string[]
  }
}

declare global {
  interface ImportMeta {
    glob(pattern: string, options: { exhaustive: boolean }): Record<string, () => Promise<unknown>>
  }
}

// Stryker's copy of the tests is in a folder of node_modules, which a glob passes over unless it is exhaustive.
const files = import.meta.glob('../{api,unit}/*.test.ts', { exhaustive: true })

// The tests of an area as one file, so that each mutant loads the code once.
for (const path of inject('areaTests'))
  describe(path, async () => void (await files[`../${path}.test.ts`]?.()))
