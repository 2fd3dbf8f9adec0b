import type { Explored, ExploreProgress, Finding } from '../../client/explore.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { stageOf } from '../../world/new-world.ts'
import type { World } from '../../world/world.ts'
import { historyTestText } from '../incidents/test-text.ts'
import { describeCoverage, newCoverage } from './coverage.ts'
import type { ExplorationInput, ExplorationView, FindingView } from './schema.ts'

/** An exploration that begins. */
export function newView(
  { identity }: World,
  { webhook, check, at, map, seed, runs }: ExplorationInput,
  ordinal: number,
): ExplorationView {
  return {
    id: `exploration_${ordinal}`,
    state: 'running',
    detail: null,
    ...withoutUndefined({ webhook, check, at, map }),
    api_key: stageOf(identity).apiKey,
    seed,
    runs: 0,
    of: runs,
    plays: 0,
    per_second: 0,
    coverage: writeCoverage(describeCoverage(newCoverage())),
    findings: [],
  }
}

const writeCoverage = ({ edges, events, pairs }: Explored['coverage']): ExplorationView['coverage'] => ({
  edges: { ...edges, never: [...edges.never] },
  events,
  pairs,
})

export const progressOf = ({ runs, plays, perSecond, coverage, findings }: ExploreProgress | Explored) => ({
  runs,
  plays,
  per_second: perSecond,
  coverage: writeCoverage(coverage),
  findings: findings.map(writeFinding),
})

export const writeFinding = ({
  name,
  problem,
  oracle,
  scenario,
  run,
  again,
  ...found
}: Finding): FindingView => ({
  name,
  problem,
  oracle,
  story: [...found.story],
  webhooks: found.webhooks.map(({ type, marks, ...rest }) => ({
    ...rest,
    event_type: type,
    marks: [...marks],
  })),
  scenario,
  test: historyTestText({ name, file: `${name}.yaml`, problem }).text,
  anomalies: [...found.anomalies],
  run,
  again,
})
