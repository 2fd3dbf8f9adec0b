import { type BundledScenarios, readBundledScenarios as open } from '../../../src/scenarios/folders.ts'

export * from '../../../src/scenarios/folders.ts'

let times = 0
export const forgetBundled = () => times++

/** Each test file reads bundled scenarios anew: they are remembered by the path of their folder, which is spelt differently. */
export const readBundledScenarios = <Scenario>(
  path: string,
  read: (source: string, file: string) => Scenario,
): BundledScenarios<Scenario> => open(path + spelling(times), read)

/** A short end of a path for each number, which leads to the same folder. */
const spelling = (number: number) =>
  [...number.toString(2)].map((digit) => (digit === '1' ? '/.' : '/')).join('')
