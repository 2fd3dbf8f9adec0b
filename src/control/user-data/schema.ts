import * as z from 'zod'
import { field, oneOf } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema } from '../../api/schema.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { sourceSlugs, sourceTypes } from '../../resources/providers/schema.ts'
import { findSummary, summaryResources } from '../../resources/summaries/service.ts'
import { findSeries, seriesResources } from '../../resources/timeseries/service.ts'

/** Resources that have an event but accept no data. */
const notAccepted = 'workout_stream'

const names = [...seriesResources, ...summaryResources, 'device'].filter((name) => name !== notAccepted)

/** A timeseries, a summary or `device`, as named in events or paths. */
const resource = () =>
  field({ type: 'string', examples: ['steps', 'glucose', 'sleep'] }, (input) => {
    const name = typeof input === 'string' ? input : ''
    if (name === 'device') return name
    if (name !== notAccepted && (findSeries(name) || findSummary(name))) return name
    return valueError(`"${input}" is no timeseries and no summary.${didYouMean(name, names)}`)
  })

/** Data of one source: samples of a timeseries, one summary, or fields of a device. */
export const UserData = schema('UserData', () =>
  z.strictObject({
    resource: resource(),
    provider: oneOf(sourceSlugs),
    source_type: oneOf(sourceTypes).optional(),
    // Each is read by the schema of its series; a record of texts would take twice as long to check.
    samples: z.array(z.looseObject({})).max(20_000).optional(),
    summary: z.record(z.string(), z.unknown()).optional(),
  }),
)

/** The fields of a device. */
export const DeviceFields = schema('DeviceFields', () =>
  z
    .strictObject({
      app_id: z.string().nullable(),
      device_manufacturer: z.string().nullable(),
      device_model: z.string().nullable(),
      device_version: z.string().nullable(),
      device_id: z.string().nullable(),
    })
    .partial(),
)

export const UserDataKept = schema('UserDataKept', () =>
  z.object({
    resource: z.string(),
    created: z.int(),
    updated: z.int(),
    /** Of the summary or device. */
    id: z.uuid().nullable(),
    event_types: z.array(z.string()),
  }),
)
