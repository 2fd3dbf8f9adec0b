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

// Stryker's copy of the tests is inside node_modules, which a glob skips unless it is exhaustive.
const files = import.meta.glob('../{api,unit}/*.test.ts', { exhaustive: true })

/** The files of an entry; `api/appointments.*` names all that begin with it. */
function filesOf(entry: string): string[] {
  const start = `../${entry.replace(/\*$/, '')}`
  const matches = entry.endsWith('*')
    ? Object.keys(files).filter((path) => path.startsWith(start))
    : Object.keys(files).filter((path) => path === `${start}.test.ts`)
  if (matches.length === 0) throw new Error(`No test file is named ${entry}.`)
  return matches
}

// The tests of an area as one file, so that each mutant loads the code once.
for (const path of new Set(inject('areaTests').flatMap(filesOf)))
  describe(path, async () => void (await files[path]?.()))
