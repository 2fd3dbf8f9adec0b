import * as z from 'zod'
import { boolean, dateTime, field, maybe, oneOf, orNull, text, timeZone, uuid } from '../../api/fields.ts'
import { notList, notObject, type ValidationIssue, valueError } from '../../api/issue.ts'
import { anyObject, nullableText, type Parsed, schema, unnamed } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** An object whose end is not before its start. */
export const inOrder = <Shape extends z.ZodRawShape>(start: string, end: string, shape: Shape) =>
  z.object(shape).superRefine((value: JsonObject, ctx) => {
    const from = value[start] as number | string | null | undefined
    const until = value[end] as typeof from
    if (from === undefined || from === null || until === undefined || until === null || from <= until) return
    const params = valueError(`${end} is before ${start}`)
    ctx.addIssue({ code: 'custom', path: [end], message: params.msg, params })
  })

/** An item from a start to an end. */
export const period = <Shape extends z.ZodRawShape>(shape: Shape) =>
  inOrder('start_date', 'end_date', { start_date: dateTime(), end_date: dateTime(), ...shape })

/** The form of the token endpoint. Source: docs/contract/phones.md#signing-in. */
export const TokenRequest = schema('TokenRequest', () => ({
  grant_type: oneOf(['urn:ietf:params:oauth:grant-type:token-exchange', 'refresh_token']),
  subject_token_type: maybe(text()),
  subject_token: maybe(text()),
  refresh_token: maybe(text()),
}))

export const TokenPair = schema('TokenPair', () => ({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
}))

export const CodeExchangeQuery = unnamed(() => ({
  code: text(),
  grant_type: oneOf(['sign_in_token']).default('sign_in_token'),
}))

export const ExchangedCode = schema('ExchangedCode', () => ({
  user_id: z.guid(),
  sign_in_token: z.string(),
  team: z.object({ name: z.string(), logo_url: nullableText() }),
}))

/** Providers whose data are read on the phone and uploaded by an SDK. Source: docs/contract/phones.md#synchronising. */
export const healthStores = ['apple_health_kit', 'health_connect', 'samsung_health'] as const

/** Everything an SDK uploads data of. */
// biome-ignore format: a list that is read by lines.
export const uploadProviders = [
  ...healthStores, 'accuchek_ble', 'beurer_ble', 'contour_ble', 'freestyle_libre_ble', 'omron_ble', 'onetouch_ble',
  'manual',
] as const

export const SyncPath = unnamed(() => ({ user_id: uuid(), provider: oneOf(healthStores) }))

export const SyncStateInput = schema('SyncStateInput', () => ({
  tzinfo: timeZone(),
  request_start_date: maybe(dateTime()),
  request_end_date: maybe(dateTime()),
  granted_permissions: maybe(z.array(text())),
}))

/** An instant of whole seconds, which is all that the iOS SDK parses. */
const wholeSeconds = () => z.iso.datetime({ precision: 0 })

export const SyncState = schema('SyncState', () => ({
  status: z.enum(['active', 'paused', 'error']),
  request_start_date: wholeSeconds().nullable(),
  request_end_date: wholeSeconds().nullable(),
  ingestion_start: wholeSeconds().nullable(),
  per_device_activity_ts: z.boolean(),
  expires_in: z.int(),
  pull_preferences: z
    .object({
      historical_days_to_pull: z.int(),
      backfill_type_overrides: z.record(z.string(), z.object({ historical_days_to_pull: z.int() })),
    })
    .nullable(),
  reporting_interval: z.int(),
  health_kit_params: z.null(),
}))

export const HistoricalStage = schema('HistoricalStage', () =>
  inOrder('range_start', 'range_end', {
    range_start: dateTime(),
    range_end: dateTime(),
    backfill_type: text(),
  }),
)

/** The report of an SDK on its uploads. */
export const SyncProgress = schema('SyncProgress', () => ({
  sync_progress: z.looseObject({ backfill_types: z.record(z.string(), z.looseObject({})) }),
  device_info: anyObject(),
}))

/** The items of an upload, validated while it was read. */
export class UploadedItems {
  readonly list: unknown[] = []
}

const item = { type: 'object', additionalProperties: {} } as const
const wrongData = { list: notList, object: notObject }

/** What every upload has; `data` is a list of items, or one. Source: docs/contract/phones.md#synchronising. */
const uploadOf = (data: 'list' | 'object') =>
  inOrder('start_date', 'end_date', {
    stage: oneOf(['daily', 'historical']),
    start_date: orNull(dateTime()),
    end_date: orNull(dateTime()),
    time_zone: timeZone(),
    provider: oneOf(uploadProviders),
    data: field(
      data === 'object' ? item : { type: 'array', items: item },
      (input): UploadedItems | ValidationIssue => (input instanceof UploadedItems ? input : wrongData[data]),
    ),
    is_final_chunk: boolean().default(true),
  })

export const UploadedList = schema('UploadedList', () => uploadOf('list'))
export const UploadedObject = schema('UploadedObject', () => uploadOf('object'))
export type UploadBody = Parsed<typeof UploadedList>

export const Accepted = schema('UploadAccepted', () => ({ success: z.literal(true) }))

export const SignInToken = schema('SignInToken', () => ({ user_id: z.guid(), sign_in_token: z.string() }))
