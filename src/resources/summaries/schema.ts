import * as z from 'zod'
import { schema } from '../../contract/schema.ts'
import { Source } from '../providers/schema.ts'

const instant = () => z.iso.datetime({ offset: true })

const HeartRate = schema('HeartRate', () =>
  z.object({
    avg_bpm: z.number().nullable(),
    min_bpm: z.number().nullable(),
    max_bpm: z.number().nullable(),
    resting_bpm: z.number().nullable(),
    avg_walking_bpm: z.number().nullable(),
  }),
)

/** What a person did in a local day. Source: contract/wearables.md §7.2. */
export const Activity = schema('Activity', () =>
  z.object({
    id: z.uuid(),
    user_id: z.uuid(),
    date: instant().meta({ deprecated: true }),
    calendar_date: z.iso.date(),
    calories_total: z.number().nullable(),
    calories_active: z.number().nullable(),
    steps: z.int().nullable(),
    daily_movement: z.number().nullable().meta({ deprecated: true }),
    distance: z.number().nullable(),
    low: z.number().nullable(),
    medium: z.number().nullable(),
    high: z.number().nullable(),
    source: Source(),
    floors_climbed: z.int().nullable(),
    time_zone: z.string().nullable(),
    timezone_offset: z.int().nullable(),
    heart_rate: HeartRate().nullable(),
    wheelchair_use: z.literal(true).nullable(),
    wheelchair_push: z.int().nullable(),
    created_at: instant(),
    updated_at: instant(),
  }),
)
