import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { Source } from '../providers/schema.ts'

const num = () => z.number().nullable()
const instant = () => z.iso.datetime({ offset: true })

const Energy = schema('Energy', () => z.object({ unit: z.literal('kcal'), value: z.number() }))

/** Grams. */
const Macros = schema('Macros', () =>
  z.object({
    carbs: num(),
    protein: num(),
    fats: z.object({
      saturated: num(),
      monounsaturated: num(),
      polyunsaturated: num(),
      omega3: num(),
      omega6: num(),
      total: num(),
    }),
    alcohol: num(),
    water: num(),
    fibre: num(),
    sugar: num(),
    cholesterol: num(),
  }),
)

const Micros = schema('Micros', () => {
  const amounts = () => z.record(z.string(), z.number()).nullable()
  return z.object({ minerals: amounts(), trace_elements: amounts(), vitamins: amounts() })
})

const content = () => ({
  energy: Energy().nullable(),
  macros: Macros().nullable(),
  micros: Micros().nullable(),
})

const Food = schema('Food', () => z.object(content()))

/** Source: contract/wearables.md §7.8. */
export const Meal = schema('Meal', () =>
  z.object({
    id: z.uuid(),
    user_id: z.uuid(),
    priority_id: z.int().meta({ deprecated: true }),
    source_id: z.int().meta({ deprecated: true }),
    provider_id: z.string().meta({ deprecated: true }),
    timestamp: instant(),
    calendar_date: z.iso.date(),
    name: z.string(),
    ...content(),
    data: z.record(z.string(), Food()),
    source: Source(),
    created_at: instant(),
    updated_at: instant(),
    source_app_id: z.string().nullable(),
    source_device_id: z.uuid().nullable(),
  }),
)
