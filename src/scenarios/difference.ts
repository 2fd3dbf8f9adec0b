import { isDeepStrictEqual } from 'node:util'
import { writeDuration } from '../kernel/duration.ts'
import type { JsonObject } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import type { Workflow } from '../resources/orders/lifecycle.ts'
import { appliesTo, initialStatuses, statusesOf } from './check.ts'
import { type FeedScenario, inWords } from './feeds/steps.ts'
import type { Scenario } from './file.ts'
import type { ScenarioStep } from './steps.ts'

/** Something that happens in a scenario: a status of the order, or a step that brings none. */
export interface Happening {
  readonly what: string
  /** Milliseconds since the start, without the time that the customer takes. */
  readonly atMs: number
  /** Other fields of the step, such as results and shipment. */
  readonly fields: JsonObject
}

/** A happening at the same place in two scenarios, or in one of them only. */
export interface ComparedHappening {
  readonly what: string
  readonly a: Happening | undefined
  readonly b: Happening | undefined
  /** The names of different fields, and `time`. Empty if one side is absent. */
  readonly differences: readonly string[]
}

/** The happenings of an order in a scenario. */
export function happeningsOf(scenario: Scenario, workflow: Workflow): Happening[] {
  const happenings: Happening[] = initialStatuses(workflow).map((low) => ({
    what: low,
    atMs: 0,
    fields: {},
  }))
  let atMs = 0
  for (const step of scenario.steps.filter((each) => appliesTo(each, workflow))) {
    if (step.kind !== 'await') atMs += step.afterMs
    const [first = NO_STATUS, ...rest] = statusesOf(step, scenario.method) ?? []
    happenings.push({ what: first, atMs, fields: fieldsOf(step) })
    for (const what of rest) happenings.push({ what, atMs, fields: {} })
  }
  return happenings
}

/** The name of a step without a status. */
export const NO_STATUS = 'no change of status'

function fieldsOf(step: ScenarioStep): Happening['fields'] {
  if (step.kind === 'await') return { await: step.what }
  const { beforeVisitMs } = step
  const when = {
    at: beforeVisitMs === 0 ? 'the appointment' : undefined,
    before: beforeVisitMs ? `the appointment by ${writeDuration(beforeVisitMs)}` : undefined,
  }
  if (step.kind === 'appointment') return { appointment: step.word, ...when }
  const { detail, patient, shipment, results } = step.step
  return {
    ...when,
    status_detail: detail,
    patient,
    shipment,
    results,
    pdf: step.pdf?.path,
    force: step.isForced || undefined,
  }
}

/** The happenings of a connection in a feed scenario. */
export const feedHappeningsOf = ({ steps }: FeedScenario): Happening[] =>
  steps.map((step) => ({ what: inWords(step), atMs: step.atMs, fields: {} }))

/** Two lists side by side, with as much as possible at the same place. */
export function compareHappenings(a: readonly Happening[], b: readonly Happening[]): ComparedHappening[] {
  const common = commonLengths(a, b)
  const lengthAt = (atA: number, atB: number) => common[atA]?.[atB] ?? 0
  const compared: ComparedHappening[] = []
  let [atA, atB] = [0, 0]
  while (atA < a.length || atB < b.length) {
    const [one, other] = [a[atA], b[atB]]
    if (one && other && one.what === other.what) {
      const isTimeSame = one.atMs === other.atMs || intervalOf(a, atA) === intervalOf(b, atB)
      const differences = compact([!isTimeSame && 'time', ...differentFields(one.fields, other.fields)])
      compared.push({ what: one.what, a: one, b: other, differences })
      atA++
      atB++
    } else if (one && (!other || lengthAt(atA + 1, atB) >= lengthAt(atA, atB + 1))) {
      compared.push({ what: one.what, a: one, b: undefined, differences: [] })
      atA++
    } else if (other) {
      compared.push({ what: other.what, a: undefined, b: other, differences: [] })
      atB++
    }
  }
  return compared
}

/** Milliseconds since the happening before. A longer interval is one difference, and what follows it is none. */
const intervalOf = (happenings: readonly Happening[], at: number): number =>
  (happenings[at]?.atMs ?? 0) - (happenings[at - 1]?.atMs ?? 0)

/** The names of the fields with different values. */
export const differentFields = (a: Happening['fields'], b: Happening['fields']): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isDeepStrictEqual(a[name], b[name]))

/** The length of the longest common subsequence of the rests of both lists, by where the rests begin. */
function commonLengths(a: readonly Happening[], b: readonly Happening[]): number[][] {
  const lengths: number[][] = [...a, undefined].map(() => Array(b.length + 1).fill(0))
  for (let atA = a.length - 1; atA >= 0; atA--)
    for (let atB = b.length - 1; atB >= 0; atB--) {
      const row = lengths[atA] ?? []
      const next = lengths[atA + 1] ?? []
      row[atB] =
        a[atA]?.what === b[atB]?.what ? (next[atB + 1] ?? 0) + 1 : Math.max(next[atB] ?? 0, row[atB + 1] ?? 0)
    }
  return lengths
}
