import { readFile, ScenarioError } from '../read.ts'
import { FeedFile, feedWords, toFeedScenario } from './file.ts'
import type { FeedScenario, FeedStep } from './steps.ts'

/** Parses a feed scenario from YAML or JSON. Throws a ScenarioError that tells all that is wrong, each with file, line and step. */
export function readFeed(source: string, file: string): FeedScenario {
  const { data, issues, issueAt } = readFile(source, file, FeedFile, feedWords)
  const scenario = data && toFeedScenario(data, source)
  const unexpected = scenario ? impossible(scenario.steps) : []
  const all = [...issues, ...unexpected.map(([at, message]) => issueAt(['steps', at], { message }))]
  if (scenario && all.length === 0) return scenario
  throw new ScenarioError(all)
}

/** Whether a text is a feed scenario. */
export const isFeedText = (source: string): boolean => /^\s*["']?kind["']?\s*:\s*["']?feed\b/m.test(source)

/** Steps that are impossible at their position. */
function impossible(steps: readonly FeedStep[]): [number, string][] {
  let isBroken = false
  return steps.flatMap((step, at): [number, string][] => {
    if (step.verb === 'reconnect' && !isBroken)
      return [[at, 'reconnect: the connection is not broken by then; legal before it: error']]
    if (isBroken && step.verb !== 'reconnect')
      return [[at, `${step.verb}: a broken connection brings nothing; legal: reconnect`]]
    isBroken = step.verb === 'error'
    return []
  })
}
