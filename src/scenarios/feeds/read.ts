import { readFile, ScenarioError, type ScenarioIssue } from '../read.ts'
import { FeedFile, feedWords, toFeedScenario } from './file.ts'
import type { FeedScenario, FeedStep } from './steps.ts'

/** Parses a feed scenario from YAML or JSON. Throws a ScenarioError that names file, line and step. */
export function readFeed(source: string, file: string): FeedScenario {
  const { data, lineAt } = readFile(source, file, FeedFile, feedWords)
  const scenario = toFeedScenario(data, source)
  const issues = impossible(scenario.steps).map(
    ([at, message]): ScenarioIssue => ({ file, line: lineAt(['steps', at]), step: at + 1, message }),
  )
  if (issues.length > 0) throw new ScenarioError(issues)
  return scenario
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

export { assertScenarioName } from '../read.ts'
