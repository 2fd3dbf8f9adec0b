import * as z from 'zod'
import { type AnyOperation, operation } from '../api/operation.ts'
import { type Parsed, schema, texts } from '../api/schema.ts'
import { sortedFields } from '../kernel/fields.ts'
import { eventTypeNames } from '../resources/event-types.ts'
import { dottedStatuses } from '../resources/orders/lifecycle.ts'
import type { World } from '../world/world.ts'

const tally = () => z.record(z.string(), z.int())

/** The operations, statuses, events and errors that clients of this world have met, and the others. */
export const Coverage = schema('PetriCoverage', () => ({
  operations: z.object({
    met: z.array(z.object({ id: z.string(), route: z.string(), statuses: tally() })),
    never: z.array(z.object({ id: z.string(), route: z.string() })),
  }),
  order_statuses: z.object({ met: tally(), never: texts() }),
  /** The events of each type, and their deliveries. */
  event_types: z.object({ met: tally(), delivered: tally(), never: texts() }),
  /** HTTP statuses of error responses, and the error types in their bodies. */
  errors: z.object({ met: tally(), never: texts() }),
  /** Calls of unknown paths, by status. */
  unknown_paths: tally(),
}))

export const coverageOperation = (mirrored: readonly AnyOperation[]) =>
  operation({
    id: 'petri_coverage',
    route: 'GET /_petri/coverage',
    summary:
      "Show which operations, statuses, events and errors this world's clients have met since Petri started, and which not",
    tool: { name: 'get_coverage' },
    returns: Coverage,
    run: (world) => describeCoverage(world, mirrored),
  })

/** Every error a client can get: statuses, and types of validation errors. Source: docs/contract/errors.md#keys, docs/contract/errors.md#errors. */
const errorCodes: readonly string[] = (
  '400 404 405 409 413 422 429 501 503 ' +
  'missing extra_forbidden json_invalid string_type string_unicode string_too_short string_too_long string_pattern_mismatch ' +
  'int_type int_parsing int_from_float float_type float_parsing bool_type bool_parsing list_type dict_type ' +
  'too_short too_long greater_than_equal less_than_equal enum uuid_type uuid_parsing date_type ' +
  'date_from_datetime_parsing date_from_datetime_inexact datetime_type datetime_from_date_parsing ' +
  'model_type model_attributes_type value_error ' +
  'MISSING_LINK_TOKEN INVALID_REQUEST INVALID_PROVIDER INVALID_USER_ID INVALID_CREDENTIALS'
).split(' ')

function describeCoverage(world: World, operations: readonly AnyOperation[]): Parsed<typeof Coverage> {
  const { counters } = world.agenda
  const calls = operations.map(({ id, route }) => ({ id, route, counted: counters.get(id) }))
  return {
    operations: {
      met: calls
        .filter(({ counted }) => counted.size > 0)
        .map(({ id, route, counted }) => ({ id, route, statuses: sortedFields(counted) })),
      never: calls.filter(({ counted }) => counted.size === 0).map(({ id, route }) => ({ id, route })),
    },
    order_statuses: compared(counters.get('order'), dottedStatuses),
    event_types: {
      ...compared(counters.get('event'), [...eventTypeNames()]),
      delivered: sortedFields(counters.get('delivered')),
    },
    errors: compared(counters.get('error'), errorCodes),
    unknown_paths: sortedFields(counters.get('unknown path')),
  }
}

const compared = (counted: ReadonlyMap<string, number>, all: readonly string[]) => ({
  met: sortedFields(counted),
  never: all.filter((name) => !counted.has(name)),
})
