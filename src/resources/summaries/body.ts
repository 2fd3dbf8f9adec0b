import { round, samplesWithin } from '../timeseries/service.ts'
import { idFor, isKnown, type Make, type Making, sourceFor, stampsOf, typeIfAny } from './make.ts'

/** The last weighing of a day; none without one. */
export const bodyOf: Make = (making) => {
  const { connection, day, world, asOf } = making
  const last = (slug: string) =>
    samplesWithin(world, slug, connection, { from: day.start, until: day.end }, asOf).at(-1)
  const weighing = last('body_weight')
  if (!weighing || !isKnown(making, weighing.end)) return []
  const weight = Number(weighing.value)
  const fat = last('body_fat')
  const type = typeIfAny(making, 'scale')
  return [
    {
      id: idFor(making, 'body', type, day.date),
      user_id: connection.user_id,
      date: `${day.date}T00:00:00+00:00`,
      calendar_date: day.date,
      weight,
      ...compositionOf(making, weight, fat ? Number(fat.value) : null),
      waist_circumference_centimeter: Number(last('waist_circumference')?.value ?? 0) || null,
      source: sourceFor(making, type),
      ...stampsOf(making, weighing.end),
    },
  ]
}

/** Values derived from weight and fat; only scales report all of them. */
function compositionOf(making: Making, weight: number, fat: number | null) {
  const { person } = making.day
  const body_mass_index = round(weight / (person.heightCm / 100) ** 2, 1)
  const isScale = typeIfAny(making, 'scale') === 'scale'
  const scaled = (value: number, decimals: number) => (isScale ? round(value, decimals) : null)
  return {
    fat,
    water_percentage: fat === null ? null : scaled((100 - fat) * 0.72, 1),
    muscle_mass_percentage: fat === null ? null : scaled((100 - fat) * 0.56, 1),
    visceral_fat_index: fat === null ? null : scaled(Math.max(1, fat / 4), 0),
    bone_mass_percentage: scaled(person.sex === 'male' ? 4.3 : 3.8, 1),
    body_mass_index,
    lean_body_mass_kilogram: fat === null ? null : round(weight * (1 - fat / 100), 1),
  }
}
