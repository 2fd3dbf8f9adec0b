import { toWire } from '../../kernel/instant.ts'
import { type Meal, nutritionOf } from '../../people/food.ts'
import { round } from '../../people/noise.ts'
import { findProvider } from '../providers/service.ts'
import { type Item, idFor, isKnown, type Make, type Making, sourceFor, stampsOf } from './making.ts'

/** The meals of a day up to now. */
export const mealsOf: Make = (making) =>
  making.day
    .meals()
    .filter(({ at }) => isKnown(making, at))
    .map((meal) => toItem(making, meal))

function toItem(making: Making, { name, at, index, foods }: Meal): Item {
  const { connection, day } = making
  const id = idFor(making, 'meal', `${day.date}/${index}`)
  const source = sourceFor(making)
  return {
    id,
    user_id: connection.user_id,
    priority_id: 1,
    source_id: findProvider(connection.provider)?.source_id ?? 0,
    provider_id: id,
    timestamp: toWire(at),
    calendar_date: day.date,
    name,
    ...contentOf(foods),
    data: Object.fromEntries(foods.map((food) => [food.name, contentOf([food])])),
    source,
    ...stampsOf(making, at),
    source_app_id: source.app_id,
    source_device_id: source.device_id,
  }
}

/** Grams, except minerals and vitamin C in milligrams, and trace elements in micrograms. Source: docs/contract/health-data.md#summaries. */
function contentOf(foods: Meal['foods']) {
  const { carbs, protein, fat, fibre, sugar, kcal } = nutritionOf(foods)
  return {
    energy: { unit: 'kcal', value: round(kcal, 1) },
    macros: {
      carbs,
      protein,
      fibre,
      sugar,
      fats: {
        saturated: round(fat * 0.32, 1),
        monounsaturated: round(fat * 0.41, 1),
        polyunsaturated: round(fat * 0.21, 1),
        omega3: round(fat * 0.03, 2),
        omega6: round(fat * 0.16, 2),
        total: fat,
      },
      alcohol: 0,
      water: round(kcal * 0.35, 0),
      cholesterol: round(protein * 0.004, 3),
    },
    micros: {
      minerals: {
        sodium: round(kcal * 0.9, 0),
        potassium: round(kcal * 1.4, 0),
        calcium: round(kcal * 0.45, 0),
        magnesium: round(kcal * 0.17, 0),
        iron: round(kcal * 0.006, 1),
        zinc: round(protein * 0.09, 1),
      },
      trace_elements: { selenium: round(protein * 0.7, 1), iodine: round(kcal * 0.06, 1) },
      vitamins: { vitamin_c: round(carbs * 0.6, 1), folic_acid: round(fibre * 14, 0) },
    },
  }
}
