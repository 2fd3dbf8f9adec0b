import { Problem } from '../../src/kernel/problem.ts'
import { planQuery } from '../../src/resources/sense/plan.ts'
import { Query } from '../../src/resources/sense/schema.ts'

/** A kind of the queries that are printed in the service's pages on Sense. */
interface Kind {
  readonly name: string
  /** The number of printed queries. */
  readonly printed: number
  /** A query of the kind. */
  readonly example: object
}

const monthly = (index: string) => ({ date_trunc: { value: 1, unit: 'month' }, arg: { index } })
const longest = { func: 'max', arg: { workout: 'distance_meter' } }
const lastWeight = { func: 'newest', arg: { body: 'weight_kilogram' } }
const restingRate = { func: 'min', arg: { timeseries: 'heartrate', field: 'value' } }

const weights = { select: [{ group_key: '*' }, lastWeight], group_by: [monthly('body')] }

export const senseQueries: readonly Kind[] = [
  {
    name: 'columns and functions, in groups of a `date_trunc` or without groups',
    printed: 5,
    example: { select: [{ group_key: 0 }, longest], group_by: [monthly('workout')] },
  },
  {
    name: 'groups by source',
    printed: 1,
    example: {
      select: [{ group_key: '*' }, longest],
      group_by: [monthly('workout'), { source: 'source_provider' }, { source: 'source_type' }],
    },
  },
  {
    name: 'empty groups filled by `carry_forward`, of some by source',
    printed: 4,
    example: {
      ...weights,
      align: { carry: { mode: 'carry_forward', max_age: { value: 1, unit: 'year' } } },
    },
  },
  {
    name: 'empty groups filled by `carry_nearest`',
    printed: 1,
    example: { ...weights, align: { carry: { mode: 'carry_nearest', span: { value: 1, unit: 'year' } } } },
  },
  {
    name: 'several timeseries',
    printed: 1,
    example: { select: [restingRate, { func: 'sum', arg: { timeseries: 'water', field: 'value' } }] },
  },
  {
    name: 'values that Sense computes (`value_macro`)',
    printed: 11,
    example: { select: [{ func: 'max', arg: { value_macro: 'awakenings' } }] },
  },
  {
    name: 'elements of lists (`unnest`)',
    printed: 7,
    example: {
      select: [{ select: { func: 'count' }, from: { unnest: { menstrual_cycle: 'sexual_activity' } } }],
    },
  },
  {
    name: 'the table `derived_readiness`',
    printed: 3,
    example: { select: [{ index: 'derived_readiness' }, { derived_readiness: 'recovery_zone' }] },
  },
]

/** Why Petri refuses a query; undefined for one that it answers. */
export function refusalOf(example: object): string | undefined {
  try {
    planQuery(Query().parse(example))
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [first] = error.detail as readonly { readonly msg: string }[]
    return first?.msg
  }
}

const count = (kinds: readonly Kind[]) => kinds.reduce((sum, { printed }) => sum + printed, 0)

/** The section of `SUPPORTED.md` on queries. */
export function senseSection(): string[] {
  const served = senseQueries.filter(({ example }) => refusalOf(example) === undefined)
  return [
    '## Sense queries',
    '',
    `The service's pages on Sense print ${count(senseQueries)} queries. Petri answers ${count(served)} of them, and refuses the others with 422:`,
    '',
    '| Kind of query | Printed | Petri |',
    '|---|---|---|',
    ...senseQueries.map(({ name, printed, example }) => {
      const refusal = refusalOf(example)
      return `| ${name} | ${printed} | ${refusal === undefined ? 'answers it' : `refuses it: \`${refusal}\``} |`
    }),
    '',
  ]
}
