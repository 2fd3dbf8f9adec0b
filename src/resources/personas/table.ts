import * as z from 'zod'
import { conditionNames, episodeNames, sign, treatmentNames } from '../../people/conditions.ts'
import { traitNames } from '../../people/traits.ts'
import { type RowOf, table } from '../../storage/table.ts'

/** A condition that laboratory results have shown; dates are `YYYY-MM-DD`. */
const Finding = () =>
  z.object({
    name: z.enum(conditionNames),
    since: z.iso.date(),
    until: z.iso.date().nullable(),
    degree: z.number().min(0).max(1),
    /** A result that shows a finding without a condition of its own. */
    sign: sign().exactOptional(),
  })

const Condition = () => Finding().omit({ sign: true }).extend({ isDiagnosed: z.boolean() })

const Treatment = () =>
  z.object({
    name: z.enum(treatmentNames),
    since: z.iso.date(),
    until: z.iso.date().nullable(),
  })

export const Episode = () =>
  z.object({
    name: z.enum(episodeNames),
    since: z.iso.date(),
    /** The first day without it. */
    until: z.iso.date(),
    degree: z.number(),
  })

/** It has the course, so that a later change of the file does not change the past. */
const AssignedPersona = () =>
  z.object({
    name: z.string(),
    begins: z.iso.date(),
    sex: z.enum(['female', 'male']).nullable(),
    birth_date: z.iso.date().nullable(),
    course: z.object({
      traits: z.partialRecord(z.enum(traitNames), z.number()),
      conditions: z.array(Condition()),
      treatments: z.array(Treatment()),
      episodes: z.array(Episode()),
    }),
  })

/** What is stored of the person behind a user, in addition to what follows from the seed; a row exists once there is something. */
export const people = table(
  'people',
  () =>
    z.object({
      user_id: z.string(),
      findings: z.array(Finding()),
      persona: AssignedPersona().nullable(),
    }),
  ({ user_id }) => user_id,
  { owner: 'user' },
)
export type PersonRow = RowOf<typeof people>
export type FindingRow = PersonRow['findings'][number]
