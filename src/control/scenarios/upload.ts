import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { allResultNames } from '../../resources/results/service.ts'
import type { ScenarioTeller } from '../../scenarios/engine.ts'
import type { Story } from '../../scenarios/file.ts'
import type { Refusal } from '../../scenarios/read.ts'
import { userStories } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'

/** Gives a story to a world, or refuses the whole of it. */
export async function uploadStory(
  world: World,
  teller: ScenarioTeller,
  name: string,
  source: string,
): Promise<Story> {
  if (world.parts.feeds.names(world).includes(name))
    throw new Problem('conflict', `"${name}" is a feed story; no scenario can have its name.`)
  const { refuseOtherName, ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const story = teller.read(source, name)
    refuseOtherName(story, name, name)
    const strange = strangeResults(world, story)
    if (strange.length > 0) throw new ScenarioError(strange)
    teller.upload(world, story)
    return story
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid', error.refusals.map(toEntry))
    throw error
  }
}

/** Missing results that nothing in the catalogue is called. */
function strangeResults(world: World, { steps, source, name: file }: Story): Refusal[] {
  const named = steps.flatMap((step, at) => {
    const missing = step.kind === 'move' ? step.step.results?.missing : undefined
    return Array.isArray(missing) ? missing.map((name: string) => ({ name, step: at + 1 })) : []
  })
  if (named.length === 0) return []
  const known = allResultNames(world.parts.catalogue)
  const lines = source.split('\n')
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ name, step }) => ({
      file,
      line: Math.max(1, lines.findIndex((text) => text.includes(name)) + 1),
      step,
      message: `"${name}" is no result of any marker.${didYouMean(name, known)}`,
    }))
}

/** A refusal as an entry of a 422. */
export const toEntry = ({ file, line, step, message, legal }: Refusal) => ({
  type: 'scenario_invalid',
  loc: step === undefined ? ['body'] : ['body', 'steps', step - 1],
  msg: message,
  input: null,
  ctx: { file, line, ...(step !== undefined && { step }), ...(legal && { legal }) },
})

export function removeStory(world: World, teller: ScenarioTeller, name: string): void {
  const isBundled = teller.names().includes(name)
  if (!teller.isUploaded(world, name)) {
    if (isBundled) throw new Problem('conflict', `The scenario "${name}" was not uploaded; it stays.`)
    const known = teller.names(world)
    throw new Problem('not_found', `There is no scenario "${name}".${didYouMean(name, known)}`)
  }
  if (!isBundled) refuseNeeded(world, name)
  teller.remove(world, name)
}

function refuseNeeded(world: World, name: string): void {
  if (world.settings().scenario === name) {
    throw new Problem('conflict', `Orders of this world follow "${name}" by default; choose another first.`)
  }
  for (const { user_id, story } of world.db.all(userStories)) {
    if (story === name) {
      throw new Problem('conflict', `Orders of user ${user_id} follow "${name}"; choose another first.`)
    }
  }
}
