import { describe } from 'vitest'
import { chosenArea } from '../mutation-areas.mjs'

const files = import.meta.glob('./{api,unit}/*.test.ts')

// The tests of an area as one file, so that each mutant loads the code once.
for (const path of chosenArea().tests) describe(path, async () => void (await files[`./${path}.test.ts`]()))
