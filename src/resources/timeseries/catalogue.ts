import type { SourceType } from '../providers/schema.ts'

/** How values come about. */
export type Shape =
  /** A whole number for the local day, split among its buckets by a rhythm. */
  | { readonly perDay: readonly [low: number, high: number]; readonly rhythm: Rhythm }
  /** Follows another series, by a factor of the user's own. */
  | { readonly follows: string; readonly times: readonly [low: number, high: number] }
  /** The same in every hour, by a rate of the user's own. */
  | { readonly perHour: readonly [low: number, high: number] }

/** What tells one timeseries from another. */
export interface Series {
  /** In paths. */
  readonly slug: string
  /** In event types and availability. Source: contract/webhooks.md §2.1. */
  readonly resource: string
  /** What schemas are called after. */
  readonly model: string
  /** Whether a sample has a start and an end by contract; `spanned` ones are points that carry both all the same. */
  readonly kind: 'interval' | 'spanned'
  readonly unit: string
  readonly decimals: number
  /** Seconds a sample covers: usually, and where a provider differs. */
  readonly bucket: { readonly usual: number } & Readonly<Record<string, number>>
  readonly shape: Shape
  /** Devices it comes from, where they are not the provider's commonest one. */
  readonly sources?: Readonly<Record<string, readonly SourceType[]>>
}

const quarterly = { usual: 3600, fitbit: 900, garmin: 900 }
const hourly = { usual: 3600 }
const onPhone = { apple_health_kit: ['phone'] } as const

/** One line a series. Source: contract/wearables.md §8.3, §8.6. */
// biome-ignore format: a table is read by its columns.
export const seriesTable: readonly Series[] = [
  { slug: 'steps', resource: 'steps', model: 'Steps', kind: 'interval', unit: 'count', decimals: 0, bucket: quarterly, shape: { perDay: [3200, 13200], rhythm: 'walking' }, sources: onPhone },
  { slug: 'distance', resource: 'distance', model: 'Distance', kind: 'interval', unit: 'm', decimals: 1, bucket: quarterly, shape: { follows: 'steps', times: [0.7, 0.78] }, sources: onPhone },
  { slug: 'calories_active', resource: 'calories_active', model: 'CaloriesActive', kind: 'interval', unit: 'kcal', decimals: 2, bucket: quarterly, shape: { follows: 'steps', times: [0.03, 0.055] } },
  { slug: 'calories_basal', resource: 'calories_basal', model: 'CaloriesBasal', kind: 'spanned', unit: 'kcal', decimals: 2, bucket: hourly, shape: { perHour: [56, 82] } },
]

/** For slugs that Petri itself keeps: a missing series is a bug. */
export function getSeries(slug: string): Series {
  const series = seriesTable.find((line) => line.slug === slug)
  if (!series) throw new Error(`no series ${slug}`)
  return series
}

export const bucketSeconds = ({ bucket }: Series, provider: string): number =>
  bucket[provider] ?? bucket.usual

/** How much of a day's total falls into each hour, by local time. */
export type Rhythm = keyof typeof rhythms

// biome-ignore format: 24 hours a line.
export const rhythms = {
  walking: [0, 0, 0, 0, 0, 0, 2, 6, 10, 5, 4, 5, 9, 6, 4, 4, 5, 8, 11, 7, 4, 2, 1, 0],
} as const satisfies Record<string, readonly number[]>
