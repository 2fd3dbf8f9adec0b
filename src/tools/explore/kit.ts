import { asCount, asFunction, asReceiver, assertOptions, type OptionChecks } from '../../client/arguments.ts'
import type {
  Explored,
  ExploreFailure,
  ExploreOptions,
  ExploreProperty,
  Finding,
} from '../../client/explore.ts'
import type { PetriWorld, RunningPetri } from '../../client/kit.ts'
import { toIso } from '../../kernel/instant.ts'
import { readFinding } from '../../scenarios/finding.ts'
import { START } from './compile.ts'
import { explore, replay } from './explore.ts'
import { notEachTime } from './report.ts'

const exploreOptions: OptionChecks<ExploreOptions> = {
  runs: asCount,
  seed: true,
  only: true,
  without: true,
  webhook: asReceiver,
  maxFindings: asCount,
  onProgress: asFunction,
  signal: true,
}

/** Explores in a world of its own. */
export async function explorePetri(
  petri: RunningPetri,
  options: ExploreOptions,
  property: ExploreProperty,
): Promise<Explored> {
  assertOptions('petri.explore', options, exploreOptions)
  const explored = await inOwnWorld(petri, toIso(START), (world) => explore(options, { world, property }))
  if (explored.findings.length > 0) throw failureOf(explored.findings)
  return explored
}

/** Plays the file of a finding in a world of its own. */
export async function replayIn(
  petri: RunningPetri,
  source: string,
  property: ExploreProperty,
  options: Pick<ExploreOptions, 'webhook'> = {},
): Promise<void> {
  assertOptions('petri.replay', options, { webhook: asReceiver })
  const file = readFinding(source, 'the finding')
  const { finding } = await inOwnWorld(petri, file.now, (world) => replay(file, options, { world, property }))
  if (finding) throw failureOf([finding])
}

async function inOwnWorld<Result>(
  petri: RunningPetri,
  now: string,
  use: (world: PetriWorld) => Promise<Result>,
): Promise<Result> {
  const world = await petri.world({ name: 'explore', seed: 'explore', frozen: true, now, scenario: 'manual' })
  try {
    return await use(world)
  } finally {
    // What a function has thrown is in the findings.
    await world.close().catch(() => undefined)
  }
}

function failureOf(findings: readonly Finding[]): ExploreFailure {
  const told = findings.map(({ story, source, plays: { failed, of } }) => {
    const again = failed === of ? `The file that plays it again:\n\n${source}` : notEachTime({ failed, of })
    return `${story.join('\n')}\n\n${again}`
  })
  const error = new Error(`The program failed in a legal history.\n\n${told.join('\n\n')}`)
  const { actual, expected } = findings[0] ?? {}
  return Object.assign(error, { name: 'ExploreFailure', findings, actual, expected } as const)
}
