import { compact } from '../kernel/list.ts'
import { type LowStatus, type Method, topStatusOf, workflowsOf } from '../resources/orders/lifecycle.ts'
import type { Scenario } from './file.ts'
import { initialStatuses, plannedSteps } from './planned-steps.ts'

/** What people write for a word of the service. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['qns', 'sample_quantity_not_sufficient'],
  ['dnp', 'do_not_process'],
  ['canceled', 'cancelled'],
  ['noshow', 'no_show'],
  ['hemolysed', 'sample_hemolyzed'],
])

/** The most scenarios that are named. */
const MAX_NAMED = 5

/**
 * `These pass through lost: …` if the name is a status, a detail or what happens to an appointment, or begins or ends
 * one; undefined for other names. Scenarios of the method come first, then those that end so.
 */
export function passingThrough(
  name: string,
  scenarios: readonly Scenario[],
  method?: string,
): string | undefined {
  const given = name.toLowerCase().replaceAll('-', '_')
  const wanted = otherWords.get(given) ?? given
  const found = scenarios
    .flatMap((scenario) => {
      const words = wordsOf(scenario)
      const [first, ...more] = words.filter((each) => matches(each, wanted))
      if (first === undefined) return []
      const word = more.includes(wanted) ? wanted : first
      const goesOn = !matches(words.at(-1) ?? '', wanted)
      return [{ scenario, word, isOther: scenario.method !== method, goesOn }]
    })
    .sort(
      (a, b) =>
        Number(a.isOther) - Number(b.isOther) ||
        Number(a.goesOn) - Number(b.goesOn) ||
        a.scenario.steps.length - b.scenario.steps.length,
    )
  if (found.length === 0) return undefined
  const names = found.slice(0, MAX_NAMED).map(({ scenario }) => scenario.name)
  const others = found.length - names.length
  return `These pass through ${found[0]?.word}: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`
}

const matches = (word: string, wanted: string): boolean =>
  word === wanted || word.startsWith(`${wanted}_`) || word.endsWith(`_${wanted}`)

/** The service's words for what happens in a scenario, in order. */
const wordsOf = (scenario: Scenario): string[] =>
  workflowsOf(scenario.method).flatMap((workflow) => [
    ...initialStatuses(workflow).flatMap((low) => statusWords(scenario.method, low)),
    ...plannedSteps(scenario, workflow).flatMap(({ step, lows }) => [
      ...(step.kind === 'appointment' ? [step.word] : []),
      ...lows.flatMap((low) => statusWords(scenario.method, low)),
      ...(step.kind === 'move' && step.step.detail ? [step.step.detail] : []),
    ]),
  ])

const statusWords = (method: Method, low: LowStatus): string[] => compact([topStatusOf(method, low), low])
