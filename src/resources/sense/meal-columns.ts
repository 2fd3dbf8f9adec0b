import { type Columns, number, sources, text, time } from './column.ts'

const macro = (name: string) => number(`macros.${name}`)
const fat = (name: string) => number(`macros.fats.${name}`)
const mineral = (name: string) => number(`micros.minerals.${name}`)
const trace = (name: string) => number(`micros.trace_elements.${name}`)
const vitamin = (name: string) => number(`micros.vitamins.${name}`)

const kept = {
  fats: ['saturated', 'monounsaturated', 'polyunsaturated', 'omega3', 'omega6', 'total'],
  minerals: [
    ...['sodium', 'potassium', 'calcium', 'phosphorus', 'magnesium', 'iron', 'zinc', 'fluoride', 'chloride'],
  ],
  milligrams: [
    ...['vitamin_a', 'vitamin_b1', 'riboflavin', 'niacin', 'pantothenic_acid', 'vitamin_b6', 'vitamin_c'],
    'vitamin_e',
  ],
  micrograms: ['biotin', 'vitamin_b12', 'vitamin_d', 'vitamin_k', 'folic_acid'],
  tracesInMilligrams: ['copper', 'manganese'],
  tracesInMicrograms: ['chromium', 'iodine', 'molybdenum', 'selenium'],
} as const

const named = (names: readonly string[], suffix: string, column: (name: string) => Columns[string]) =>
  Object.fromEntries(names.map((name) => [`${name}_${suffix}`, column(name) as Columns[string]])) as Columns

/** The columns of meals. Source: contract/wearables.md §7.8. */
export const mealColumns: Columns = {
  calories: number('energy.value'),
  carbohydrate_gram: macro('carbs'),
  protein_gram: macro('protein'),
  alcohol_gram: macro('alcohol'),
  water_gram: macro('water'),
  fibre_gram: macro('fibre'),
  sugar_gram: macro('sugar'),
  cholesterol_gram: macro('cholesterol'),
  ...named(kept.fats, 'fat_gram', fat),
  ...named(kept.minerals, 'milligram', mineral),
  ...named(kept.milligrams, 'milligram', vitamin),
  ...named(kept.micrograms, 'microgram', vitamin),
  ...named(kept.tracesInMilligrams, 'milligram', trace),
  ...named(kept.tracesInMicrograms, 'microgram', trace),
  date: time('timestamp'),
  name: text('name'),
  ...sources,
}
