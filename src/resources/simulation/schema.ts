import * as z from 'zod'
import { boolean, field, integer, maybe, oneOf } from '../../api/fields.ts'
import { wrongChoice } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { dottedStatuses, otherSpellings, readStatus } from '../orders/lifecycle.ts'
import { interpretations } from '../orders/schema.ts'
import { resultTypes } from '../results/schema.ts'

/** A dotted status in any accepted spelling, parsed to the low status and method. */
const orderStatus = () => {
  const values = [...dottedStatuses, ...Object.keys(otherSpellings)]
  return field({ type: 'string', enum: values }, (input) => {
    const read = typeof input === 'string' && input.includes('.') ? readStatus(input) : undefined
    return read ?? wrongChoice(values)
  })
}

export const SimulationQuery = unnamed(() => ({
  final_status: maybe(orderStatus()),
  delay: maybe(integer({ ge: 0 })),
}))

const SimulationFlags = schema('SimulationFlags', () => ({
  interpretation: oneOf(interpretations).optional().meta({ default: 'normal' }),
  result_types: maybe(z.array(oneOf(resultTypes))),
  has_missing_results: maybe(boolean()),
}))

/** Optional and nullable. */
export const SimulationBody = unnamed(() => SimulationFlags().nullable())

export const SimulationAnswer = unnamed(() => z.string())
