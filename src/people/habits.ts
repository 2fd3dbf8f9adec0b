import * as z from 'zod'
import habitRows from '../../seeds/people/habits.json' with { type: 'json' }
import { bundledTable } from '../kernel/seed-table.ts'
import { conditionNames, share, treatmentNames } from './conditions.ts'
import { yearsBetween } from './dates.ts'
import { conditionsOn, type Person, treatmentsOn } from './person.ts'

/** A row of `seeds/people/habits.json`: who has data that not everybody has. All shares are assumed. */
const habitRow = () =>
  z.strictObject({
    note: z.string().optional(),
    /** Slugs of timeseries, and names of summaries. */
    resources: z.array(z.string()),
    sex: z.enum(['female', 'male']).optional(),
    /** Years of age: the first, and the first without it. */
    ages: z.tuple([z.int(), z.int()]).optional(),
    /** All who have one of these, or take one of the treatments, have the data. */
    conditions: z.array(z.enum(conditionNames)).optional(),
    treatments: z.array(z.enum(treatmentNames)).optional(),
    /** The share of all others; none by default. */
    share: share().optional(),
  })

const habits = [...bundledTable('people/habits.json', habitRows, habitRow)]
const byResource = new Map(
  habits.flatMap(([name, row]) => row.resources.map((resource) => [resource, { name, ...row }] as const)),
)

/** Whether a person has data of a resource on a day; `isTheirs` if all users of the provider have what measures it. */
export function hasHabit(person: Person, date: string, resource: string, isTheirs: boolean): boolean {
  const habit = byResource.get(resource)
  if (!habit) return true
  const { name, sex, ages: [from, until] = [0, Number.POSITIVE_INFINITY], conditions, treatments } = habit
  const age = yearsBetween(person.birthDate, date)
  if ((sex && sex !== person.sex) || age < from || age >= until) return false
  const { random, drawKey } = person
  return (
    isTheirs ||
    random.noise(`person/${drawKey}/habit/${name}`) < (habit.share ?? 0) ||
    conditionsOn(person, date).some((one) => conditions?.includes(one.name)) ||
    treatmentsOn(person, date).some((one) => treatments?.includes(one.name))
  )
}
