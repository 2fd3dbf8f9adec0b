import { parseDuration } from '../../kernel/duration.ts'
import { DAY_MS, isCalendarDate } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { MAX_HISTORY_DAYS } from '../../resources/connecting/service.ts'
import { oauthSlugs } from '../../resources/link/schema.ts'
import { seriesTable } from '../../resources/timeseries/catalogue.ts'
import { UsageProblem, wholeNumber } from '../../terminal/errors.ts'

/** The options of `petri cohort create`, as given. */
export interface CohortOptions {
  readonly size: string
  readonly name: string
  readonly seed: string
  readonly days: string
  readonly until?: string
  readonly mix?: string
  readonly orders?: readonly string[]
  readonly providers?: string
  readonly series?: string
  readonly fhir?: boolean
}

/** The plan of a cohort. The same plan gives the same people and data. */
export interface CohortPlan {
  readonly name: string
  readonly seed: string
  readonly size: number
  readonly days: number
  /** `YYYY-MM-DD`: the day after the last one. */
  readonly until: string
  /** Weights by persona; `none` is a person as drawn. */
  readonly mix: Readonly<Record<string, number>>
  readonly orders: readonly RecurringOrder[]
  readonly providers: readonly string[]
  readonly series: readonly string[]
  /** Whether each person is also written as a FHIR bundle. */
  readonly fhir: boolean
}

export interface RecurringOrder {
  /** Slugs of markers of one laboratory. */
  readonly panels: readonly string[]
  readonly everyMs: number
}

/** A person as drawn. */
export const NO_PERSONA = 'none'
const MAX_SIZE = 100_000
/** Providers whose days of history a team can choose. */
const providerSlugs: readonly string[] = [...oauthSlugs, 'apple_health_kit']

/** Reads the options. Throws a UsageProblem for the first that is wrong. */
export async function readPlan(options: CohortOptions, today: () => Promise<string>): Promise<CohortPlan> {
  const { name, seed, until } = options
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    throw new UsageProblem(`--name should be up to 40 small letters, digits and hyphens; it is "${name}".`)
  if (until !== undefined && !isCalendarDate(until))
    throw new UsageProblem(`--until should be a date such as 2026-01-31; it is "${until}".`)
  return {
    name,
    seed,
    size: wholeNumber('--size', options.size, 1, MAX_SIZE),
    days: wholeNumber('--days', options.days, 1, MAX_HISTORY_DAYS),
    mix: readMix(options.mix),
    orders: (options.orders ?? []).map(readOrder),
    providers: readNames('--providers', options.providers ?? 'fitbit', providerSlugs),
    series: readNames(
      '--series',
      options.series ?? '',
      seriesTable.map(({ slug }) => slug),
    ),
    until: until ?? (await today()),
    fhir: options.fhir ?? false,
  }
}

/** Parses `athlete=1,type-2-diabetes=3`. */
function readMix(text = `${NO_PERSONA}=1`): Record<string, number> {
  const mix = new Map<string, number>()
  for (const part of text.split(',')) {
    const [, persona = '', weight = '1'] = /^([^=]+)(?:=(.*))?$/s.exec(part.trim()) ?? []
    if (persona === '') throw new UsageProblem(`--mix should be persona=weight,…; it is "${text}".`)
    const number = Number(weight)
    if (weight.trim() === '' || !Number.isFinite(number) || number <= 0)
      throw new UsageProblem(`The weight of "${persona}" should be a number above 0; it is "${weight}".`)
    if (mix.has(persona)) throw new UsageProblem(`--mix has "${persona}" twice.`)
    mix.set(persona, number)
  }
  return Object.fromEntries(mix)
}

/** Parses `lipid-panel,hemoglobin-a1c@90d`. */
function readOrder(text: string): RecurringOrder {
  const [, panels = '', interval = ''] = /^([^@]+)@(.+)$/.exec(text) ?? []
  const everyMs = parseDuration(interval)
  if (panels === '' || everyMs === undefined)
    throw new UsageProblem(`--orders should be panel@interval, such as lipid-panel@90d; it is "${text}".`)
  if (everyMs < DAY_MS) throw new UsageProblem(`--orders should be a day apart or more; it is "${text}".`)
  return { panels: panels.split(','), everyMs }
}

function readNames(flag: string, text: string, known: readonly string[]): string[] {
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return [...new Set(names)]
  throw new UsageProblem(
    `${flag} has "${unknown}".${didYouMean(unknown, known) || ` Known: ${known.join(', ')}.`}`,
  )
}

/** The persona of each person in turn: at any size, the shares are as near to the weights as they can be. */
export function* personasOf({ mix, size }: Pick<CohortPlan, 'mix' | 'size'>): Generator<string> {
  const total = Object.values(mix).reduce((sum, weight) => sum + weight, 0)
  const behind = new Map(Object.keys(mix).map((persona) => [persona, 0]))
  for (let nth = 0; nth < size; nth++) {
    for (const [persona, weight] of Object.entries(mix))
      behind.set(persona, (behind.get(persona) ?? 0) + weight / total)
    const [next = NO_PERSONA] = [...behind].reduce((most, each) => (each[1] > most[1] + 1e-9 ? each : most))
    behind.set(next, (behind.get(next) ?? 0) - 1)
    yield next
  }
}

/** `cohort-NAME-0001`. */
export const clientUserId = ({ name }: Pick<CohortPlan, 'name'>, nth: number): string =>
  `cohort-${name}-${String(nth + 1).padStart(4, '0')}`

export const worldName = ({ name }: Pick<CohortPlan, 'name'>): string => `cohort-${name}`
