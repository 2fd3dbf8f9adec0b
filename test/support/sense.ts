import { Problem } from '../../src/kernel/problem.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { always } from '../../src/resources/sense/calendar.ts'
import { answer, type SenseRow, type Table, toTable } from '../../src/resources/sense/engine.ts'
import { type Plan, planQuery } from '../../src/resources/sense/plan.ts'
import { Query } from '../../src/resources/sense/schema.ts'
import { managing, teamIdOf } from './management.ts'
import type { TestPetri } from './petri.ts'

/** An instant of floating time. */
export const at = (text: string): number => Date.parse(`${text}Z`)

export const row = (
  when: string,
  values: SenseRow['values'],
  provider = 'fitbit',
  type = 'watch',
): SenseRow => ({ at: at(when), source: { provider, type }, values })

/** Fitbit comes before Oura, and both before others; a watch before a phone. */
const rank = (_: unknown, { provider, type }: SenseRow['source']) =>
  (['fitbit', 'oura'].indexOf(provider) + 1 || 9) + Number(type === 'phone') / 2

export const planned = (query: object): Plan => planQuery(Query().parse(query))

/** The answer to a query about these rows, `now` in the user's time. */
export function ask(query: object, rows: readonly SenseRow[], window = always, now = always.until): Table {
  const plan = planned(query)
  const data = { now, rows: () => rows, rank }
  return toTable(plan, runAtOnce(answer(plan, data, window)))
}

/** Creates a continuous query, as a team does in the dashboard. */
export const createContinuousQuery = (petri: TestPetri, query: object) =>
  managing(petri).post(`/team/${teamIdOf(petri)}/sandbox/continuous_query`, query)

interface Entry {
  readonly type: string
  readonly loc: readonly unknown[]
  readonly msg: string
}

/** The entries of the 422 that a query is refused with. */
export function faultsOf(query: object): Entry[] {
  try {
    planned(query)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.detail as Entry[]).map(({ type, loc, msg }) => ({ type, loc, msg }))
  }
  return []
}

/** A group for each period of an index. */
export const per = (unit: string, value = 1, index = 'activity') => ({
  date_trunc: { value, unit },
  arg: { index },
})

/** The steps of each day. */
export const stepsPerDay = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { activity: 'steps' } }],
  group_by: [per('day')],
}

/** A continuous query of them. */
export const dailySteps = { slug: 'daily-steps', title: 'Steps a day', query: stepsPerDay }
