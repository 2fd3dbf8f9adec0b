import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { labSlugs, providerSlugs, Source, sourceTypes } from '../providers/schema.ts'

const instant = () => z.iso.datetime({ offset: true })
const num = () => z.number().nullable()

const whole = () => ({
  id: z.uuid(),
  user_id: z.uuid(),
  source_provider: z.enum([...new Set([...providerSlugs, ...labSlugs])] as [string, ...string[]]),
  source_type: z.enum(sourceTypes),
  source_app_id: z.string().nullable(),
  source_device_id: z.uuid().nullable(),
  source: Source(),
  created_at: instant(),
  updated_at: instant(),
})

/** Source: contract/wearables.md §7.10. */
export const Electrocardiogram = schema('Electrocardiogram', () =>
  z.object({
    ...whole(),
    session_start: instant(),
    session_end: instant(),
    voltage_sample_count: z.int(),
    heart_rate_mean: z.int().nullable(),
    sampling_frequency_hz: num(),
    classification: z.enum(['sinus_rhythm', 'atrial_fibrillation', 'inconclusive']).nullable(),
    inconclusive_cause: z.enum(['high_heart_rate', 'low_heart_rate', 'poor_reading']).nullable(),
    algorithm_version: z.string().nullable(),
    time_zone: z.string().nullable(),
    source_device_model: z.string().nullable(),
  }),
)

const entries = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object({ date: z.iso.date(), ...shape }))
const testResult = () => z.enum(['negative', 'positive', 'indeterminate'])

/** Source: contract/wearables.md §7.9. */
export const MenstrualCycle = schema('MenstrualCycle', () =>
  z.object({
    ...whole(),
    period_start: z.iso.date(),
    period_end: z.iso.date().nullable(),
    cycle_end: z.iso.date().nullable(),
    is_predicted: z.boolean(),
    menstrual_flow: entries({ flow: z.enum(['unspecified', 'none', 'light', 'medium', 'heavy']) }),
    cervical_mucus: entries({ quality: z.enum(['dry', 'sticky', 'creamy', 'watery', 'egg_white']) }),
    intermenstrual_bleeding: entries({}),
    contraceptive: entries({
      type: z.enum(['unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch']),
    }),
    detected_deviations: entries({
      deviation: z.enum([
        'persistent_intermenstrual_bleeding',
        'prolonged_menstrual_periods',
        'irregular_menstrual_cycles',
        'infrequent_menstrual_cycles',
      ]),
    }),
    ovulation_test: entries({
      test_result: z.enum([
        'negative',
        'positive',
        'luteinizing_hormone_surge',
        'estrogen_surge',
        'indeterminate',
      ]),
    }),
    home_pregnancy_test: entries({ test_result: testResult() }),
    home_progesterone_test: entries({ test_result: testResult() }),
    sexual_activity: entries({ protection_used: z.boolean().nullable() }),
    basal_body_temperature: entries({ value: z.number() }),
  }),
)
