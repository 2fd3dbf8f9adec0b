import type * as z from 'zod'
import type { LazySchema, Parsed } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import type { Sample } from '../timeseries/service.ts'

/** What an item needs of its upload. */
export interface Upload {
  readonly world: World
  readonly userId: string
  readonly provider: string
  readonly timeZone: string
}

/** What is stored of an uploaded item. */
export interface Stored {
  readonly summaries?: readonly UploadedSummary[]
  readonly samples?: readonly UploadedSeries[]
}

export interface UploadedSummary {
  /** The name of the summary. */
  readonly resource: string
  readonly sourceType: string
  /** What identifies it among those of its source; the same upload replaces it. */
  readonly key: string
  readonly item: JsonObject
}

export interface UploadedSeries {
  readonly series: string
  readonly sourceType: string
  readonly sample: Sample
}

/** A resource that SDKs upload. */
export interface UploadKind<Item extends z.ZodType = z.ZodType> {
  /** The SDK's name of the resource, which is in the path of the upload. */
  readonly path: string
  readonly item: LazySchema<Item>
  /** Whether the upload has one object instead of a list. */
  readonly isSingle?: true
  /** The names of its events. */
  readonly resources: readonly string[]
  readonly store: (item: Parsed<LazySchema<Item>>, upload: Upload) => Stored
  /** See `assumes` of operations. */
  readonly assumes?: readonly string[]
}

export const uploadKind = <Item extends z.ZodType>(kind: UploadKind<Item>): UploadKind =>
  kind as unknown as UploadKind
