import { byName } from '../../kernel/fields.ts'

/** Where a nutrient of an upload is in a meal; several spellings lead to the same field. */
// biome-ignore format: a table is read by its lines.
const macros = byName<string>({
  carbohydrates: 'carbs', total_carbohydrate: 'carbs', protein: 'protein', fiber: 'fibre', dietary_fiber: 'fibre',
  sugar: 'sugar', cholesterol: 'cholesterol', water: 'water',
})
const fats = byName<string>({
  fat_total: 'total',
  total_fat: 'total',
  fat_saturated: 'saturated',
  saturated_fat: 'saturated',
  fat_monounsaturated: 'monounsaturated',
  monounsaturated_fat: 'monounsaturated',
  fat_polyunsaturated: 'polyunsaturated',
  polyunsaturated_fat: 'polyunsaturated',
})
const energies = ['energy_total', 'energy']
// biome-ignore format: a list that is read by lines.
const minerals = [
  'sodium', 'potassium', 'calcium', 'phosphorus', 'magnesium', 'iron', 'zinc', 'fluoride', 'chloride',
]
const traceElements = ['chromium', 'copper', 'iodine', 'manganese', 'molybdenum', 'selenium']
// biome-ignore format: a list that is read by lines.
const vitamins = byName<string>({
  vitamin_a: 'vitamin_a', vitamin_b1: 'vitamin_b1', thiamin: 'vitamin_b1', riboflavin: 'riboflavin', niacin: 'niacin',
  pantothenic_acid: 'pantothenic_acid', vitamin_b6: 'vitamin_b6', biotin: 'biotin', vitamin_b12: 'vitamin_b12',
  vitamin_c: 'vitamin_c', vitamin_d: 'vitamin_d', vitamin_e: 'vitamin_e', vitamin_k: 'vitamin_k', folate: 'folic_acid',
  folic_acid: 'folic_acid',
})

/** The nutrition of a meal from the amounts of its nutrients, in the units of the upload. */
export function nutritionOf(amounts: ReadonlyMap<string, number>) {
  const energy = energies.map((name) => amounts.get(name)).find((value) => value !== undefined)
  const none = {
    carbs: null,
    protein: null,
    alcohol: null,
    water: null,
    fibre: null,
    sugar: null,
    cholesterol: null,
  }
  const noFats = {
    saturated: null,
    monounsaturated: null,
    polyunsaturated: null,
    omega3: null,
    omega6: null,
    total: null,
  }
  return {
    energy: energy === undefined ? null : { unit: 'kcal', value: energy },
    macros: { ...none, ...renamed(amounts, macros), fats: { ...noFats, ...renamed(amounts, fats) } },
    micros: {
      minerals: picked(amounts, minerals),
      trace_elements: picked(amounts, traceElements),
      vitamins: renamed(amounts, vitamins),
    },
  }
}

const renamed = (amounts: ReadonlyMap<string, number>, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    [...amounts].flatMap(([name, value]) => (names[name] === undefined ? [] : [[names[name], value]])),
  )

const picked = (amounts: ReadonlyMap<string, number>, names: readonly string[]) =>
  Object.fromEntries([...amounts].filter(([name]) => names.includes(name)))
