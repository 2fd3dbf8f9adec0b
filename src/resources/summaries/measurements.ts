import { toWire } from '../../kernel/instant.ts'
import { localDate } from '../../kernel/local-day.ts'
import { type Recording, recordingOf } from '../../people/curves.ts'
import { round } from '../../people/noise.ts'
import type { Connection } from '../connections/table.ts'
import { findProvider, traitsOf } from '../providers/service.ts'
import { samplesWithin } from '../timeseries/service.ts'
import { users } from '../users/table.ts'
import { flatSource, idFor, isKnown, type Make, type Making, sourceFor, stampsOf } from './making.ts'

/** The last weighing of a day; none without one. */
export const bodyOf: Make = (making) => {
  const { connection, day, world, asOf } = making
  const last = (slug: string) =>
    samplesWithin(world, slug, connection, { from: day.start, until: day.end, asOf }).at(-1)
  const weighing = last('body_weight')
  if (!weighing || !isKnown(making, weighing.end)) return []
  const weight = Number(weighing.value)
  const hasFat = making.type === 'scale' || findProvider(connection.provider)?.resources.includes('fat')
  const fat = hasFat ? last('body_fat') : undefined
  return [
    {
      id: idFor(making, 'body', day.date),
      user_id: connection.user_id,
      date: `${day.date}T00:00:00+00:00`,
      calendar_date: day.date,
      weight,
      ...compositionOf(making, weight, fat ? Number(fat.value) : null),
      waist_circumference_centimeter: Number(last('waist_circumference')?.value ?? 0) || null,
      source: sourceFor(making),
      ...stampsOf(making, weighing.end),
    },
  ]
}

/** Values derived from weight and fat; only scales report all of them. */
function compositionOf(making: Making, weight: number, fat: number | null) {
  const { person, body } = making.day
  const body_mass_index = round(weight / (body.heightCm / 100) ** 2, 1)
  const isScale = making.type === 'scale' && traitsOf(making.world, making.connection).body_composition
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

function classificationOf({ isClear, isFibrillating }: Recording) {
  if (!isClear) return 'inconclusive'
  return isFibrillating ? 'atrial_fibrillation' : 'sinus_rhythm'
}

/** The electrocardiogram taken on a day, if one was. */
export const electrocardiogramsOf: Make = (making) => {
  const { connection, day } = making
  const recording = recordingOf(day)
  if (!recording || !isKnown(making, recording.end)) return []
  return [
    {
      id: idFor(making, 'electrocardiogram', day.date),
      session_start: toWire(recording.start),
      session_end: toWire(recording.end),
      voltage_sample_count: recording.count,
      heart_rate_mean: recording.beatsPerMinute,
      sampling_frequency_hz: recording.hertz,
      classification: classificationOf(recording),
      inconclusive_cause: recording.isClear ? null : 'poor_reading',
      algorithm_version: '2',
      time_zone: day.timeZone,
      ...flatSource(making),
      source_device_model: null,
      user_id: connection.user_id,
      source: sourceFor(making),
      ...stampsOf(making, recording.end),
    },
  ]
}

/** The local date on which a user and a provider were first connected. */
export const dateOfFirstConnection = ({ time_zone, known_since }: Connection): string =>
  localDate(time_zone, known_since)

/** The user's profile at the provider; known from the day of the connection. */
export const profilesOf: Make = (making) => {
  const { world, connection, day } = making
  const { known_since } = connection
  if (dateOfFirstConnection(connection) !== day.date || making.asOf < known_since) return []
  const birthDate = world.db.find(users, connection.user_id)?.fallback_birth_date?.value
  return [
    {
      id: idFor(making, 'profile', 'profile'),
      user_id: connection.user_id,
      height: Math.round(day.body.heightCm),
      birth_date: birthDate ?? day.person.birthDate,
      wheelchair_use: null,
      gender: day.person.sex,
      sex: day.person.sex,
      source: sourceFor(making),
      ...stampsOf(making, known_since),
    },
  ]
}
