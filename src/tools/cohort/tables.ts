import type { Parsed } from '../../api/schema.ts'
import type { LabResultsRaw } from '../../resources/results/schema.ts'
import type { Activity, Body, Profile, Sleep } from '../../resources/summaries/schema.ts'

/** A cell of a file. */
export type Cell = string | number | boolean | null | undefined

/** A column and where its value is in an item. */
export type Columns<Item> = readonly (readonly [name: string, read: (item: Item) => Cell])[]

export const rowOf = <Item>(columns: Columns<Item>, item: Item): Record<string, Cell> =>
  Object.fromEntries(columns.map(([name, read]) => [name, read(item) ?? null]))

export interface Day {
  readonly date: string
  readonly activity: Parsed<typeof Activity> | undefined
  /** The long sleep that ends on this day. */
  readonly sleep: Parsed<typeof Sleep> | undefined
  readonly naps: number
  readonly body: Parsed<typeof Body> | undefined
}

/** Seconds, metres, kcal, kg, % and degrees Celsius, as on the wire. */
// biome-ignore format: a table is read by its columns.
export const dayColumns: Columns<Day> = [
  ['date', ({ date }) => date],
  ['steps', ({ activity }) => activity?.steps],
  ['distance', ({ activity }) => activity?.distance],
  ['floors_climbed', ({ activity }) => activity?.floors_climbed],
  ['calories_active', ({ activity }) => activity?.calories_active],
  ['calories_total', ({ activity }) => activity?.calories_total],
  ['hr_average', ({ activity }) => activity?.heart_rate?.avg_bpm],
  ['hr_maximum', ({ activity }) => activity?.heart_rate?.max_bpm],
  ['hr_resting', ({ activity, sleep }) => activity?.heart_rate?.resting_bpm ?? sleep?.hr_resting],
  ['bedtime_start', ({ sleep }) => sleep?.bedtime_start],
  ['bedtime_stop', ({ sleep }) => sleep?.bedtime_stop],
  ['sleep_total', ({ sleep }) => sleep?.total],
  ['sleep_awake', ({ sleep }) => sleep?.awake],
  ['sleep_light', ({ sleep }) => sleep?.light],
  ['sleep_rem', ({ sleep }) => sleep?.rem],
  ['sleep_deep', ({ sleep }) => sleep?.deep],
  ['sleep_efficiency', ({ sleep }) => sleep?.efficiency],
  ['sleep_hr_lowest', ({ sleep }) => sleep?.hr_lowest],
  ['sleep_hr_average', ({ sleep }) => sleep?.hr_average],
  ['sleep_hrv', ({ sleep }) => sleep?.average_hrv],
  ['sleep_respiratory_rate', ({ sleep }) => sleep?.respiratory_rate],
  ['temperature_delta', ({ sleep }) => sleep?.temperature_delta],
  ['readiness', ({ sleep }) => sleep?.recovery_readiness_score],
  ['naps', ({ naps }) => naps],
  ['weight', ({ body }) => body?.weight],
  ['body_fat', ({ body }) => body?.fat],
]

export const profileColumns: Columns<Parsed<typeof Profile> | undefined> = [
  ['sex', (profile) => profile?.sex],
  ['birth_date', (profile) => profile?.birth_date],
  ['height', (profile) => profile?.height],
]

type Line = Extract<Parsed<typeof LabResultsRaw>['results'], readonly unknown[]>[number]

export interface ResultLine {
  readonly orderId: string
  readonly collectedAt: string | null
  readonly line: Line
}

// biome-ignore format: a table is read by its columns.
export const resultColumns: Columns<ResultLine> = [
  ['order_id', ({ orderId }) => orderId],
  ['collected_at', ({ collectedAt }) => collectedAt],
  ['slug', ({ line }) => line.slug],
  ['name', ({ line }) => line.name],
  ['loinc', ({ line }) => line.loinc],
  ['type', ({ line }) => line.type],
  ['result', ({ line }) => line.result],
  ['value', ({ line }) => (line.type === 'numeric' ? line.value : null)],
  ['unit', ({ line }) => line.unit],
  ['reference_range', ({ line }) => line.reference_range],
  ['is_above_max_range', ({ line }) => line.is_above_max_range],
  ['is_below_min_range', ({ line }) => line.is_below_min_range],
  ['interpretation', ({ line }) => line.interpretation],
]

/** A sample of any series; each has some of these fields. */
export type SeriesSample = Readonly<Record<string, Cell>>

export interface SourcedSample {
  readonly provider: string
  readonly sourceType: string
  readonly sample: SeriesSample
}

const fields = ['timestamp', 'start', 'end', 'value', 'systolic', 'diastolic', 'unit', 'type']

export const sampleColumns: Columns<SourcedSample> = [
  ['provider', ({ provider }) => provider],
  ['source_type', ({ sourceType }) => sourceType],
  ...fields.map((field): Columns<SourcedSample>[number] => [field, ({ sample }) => sample[field]]),
]
