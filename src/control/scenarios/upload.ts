import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Story } from '../../scenarios/file.ts'
import type { Refusal } from '../../scenarios/read.ts'
import type { ScenarioTeller } from '../../scenarios/storyteller.ts'
import { userStories } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'

/** Gives a story to a world, or refuses the whole of it. */
export async function uploadStory(
  world: World,
  teller: ScenarioTeller,
  name: string,
  source: string,
): Promise<Story> {
  const { refuseOtherName, ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const story = teller.read(source, name)
    refuseOtherName(story, name, name)
    teller.upload(world, story)
    return story
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid', error.refusals.map(toEntry))
    throw error
  }
}

const toEntry = ({ file, line, step, message, legal }: Refusal) => ({
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
