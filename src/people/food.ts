import * as z from 'zod'
import dishRows from '../../seeds/people/dishes.json' with { type: 'json' }
import { MINUTE_MS } from '../kernel/instant.ts'
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import type { DayClock } from './day-clock.ts'
import type { Sleep } from './night.ts'
import { noiseOf, wholeBetween } from './noise.ts'
import type { Person } from './person.ts'

/** A portion; grams, energy follows from them. */
const food = () =>
  z.strictObject({
    name: z.string(),
    carbs: z.number(),
    protein: z.number(),
    fat: z.number(),
    fibre: z.number(),
    sugar: z.number(),
  })
type Food = SeedRow<typeof food>

export interface Meal {
  readonly index: number
  readonly date: string
  readonly name: keyof typeof dishRows
  /** Milliseconds since 1970. */
  readonly at: number
  readonly foods: readonly Food[]
}

/** What a meal can be. */
const dishes = bundledTable('people/dishes.json', dishRows, () => z.array(z.array(food())))

/**
 * The usual minute of local time, by how much people differ from it at most, and each of their days from theirs; assumed.
 * Breakfast comes after getting up, and late risers leave out what they slept through.
 */
const times = {
  Lunch: { usual: 760, people: 50, days: 35 },
  Snack: { usual: 955, people: 30, days: 30 },
  Dinner: { usual: 1140, people: 70, days: 40 },
} as const

export function mealsOf(
  { random, drawKey }: Person,
  [night]: readonly [Sleep, Sleep],
  { date, instantAt }: DayClock,
): Meal[] {
  const noise = noiseOf(random, `food/${drawKey}/${date}`)
  const habit = noiseOf(random, `mealtimes/${drawKey}`)
  const timeOf = (name: Meal['name'], chance: number) => {
    if (name === 'Breakfast') return night.end + wholeBetween(chance, 40, 75) * MINUTE_MS
    const { usual, people, days } = times[name]
    const own = usual + people * (2 * habit(name === 'Lunch' ? 0 : 1) - 1)
    return instantAt(wholeBetween(chance, Math.round(own - days), Math.round(own + days)))
  }
  const names = (['Breakfast', 'Lunch', 'Snack', 'Dinner'] as const).filter(
    (name) => name !== 'Snack' || noise(0) < 0.6,
  )
  const planned = names.map((name, index) => ({ name, index, at: timeOf(name, noise(1 + index)) }))
  return planned
    .filter(({ at }, index) => at > night.end && at < (planned[index + 1]?.at ?? Number.POSITIVE_INFINITY))
    .map((meal) => {
      const choice = dishes.get(meal.name)
      return { ...meal, date, foods: choice[Math.floor(noise(10 + meal.index) * choice.length)] ?? [] }
    })
}

/** Grams and kilocalories of foods together. */
export function nutritionOf(foods: readonly Food[]) {
  const sum = (of: (one: Food) => number) => foods.reduce((total, one) => total + of(one), 0)
  const carbs = sum((one) => one.carbs)
  const protein = sum((one) => one.protein)
  const fat = sum((one) => one.fat)
  return {
    carbs,
    protein,
    fat,
    fibre: sum((one) => one.fibre),
    sugar: sum((one) => one.sugar),
    kcal: carbs * 4 + protein * 4 + fat * 9,
  }
}
