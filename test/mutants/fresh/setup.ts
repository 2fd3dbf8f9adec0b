import { beforeEach } from 'vitest'
import { forgetBundled } from './folders.ts'
import { forgetMade } from './once.ts'

// Runs for each test file. What was made while one mutant was switched on is not used by the tests of the next.
forgetBundled()
beforeEach(forgetMade)
