import { afterAll, beforeEach } from 'vitest'
import { forgetBundled } from './folders.ts'
import { forgetKept } from './kept.ts'
import { forgetMade } from './once.ts'
// What the program loads later is loaded before the first mutant is switched on, too.
import '../../../src/scenarios/read.ts'
import '../../../src/scenarios/validate-files.ts'

/** Where Stryker's code looks for the mutant that is switched on. */
const stryker = globalThis as { __stryker__?: { activeMutant?: string | undefined } }

// Runs for each test file. What was made while one mutant was switched on is not used by the tests of the next.
forgetBundled()
beforeEach(() => {
  forgetMade()
  forgetKept()
})
// The next test file is loaded while no mutant is switched on.
afterAll(() => {
  if (stryker.__stryker__) stryker.__stryker__.activeMutant = undefined
})
