import { toWire } from '../../kernel/instant.ts'
import { localDate } from '../../kernel/local-day.ts'
import type { Connection } from '../connections/table.ts'
import { recordingOf } from '../timeseries/service.ts'
import { users } from '../users/table.ts'
import { flatSource, idFor, isKnown, type Make, sourceFor, stampsOf, typeIfAny, typeOf } from './make.ts'

/** The electrocardiogram taken on a day, if one was. */
export const electrocardiogramsOf: Make = (making) => {
  const { connection, day } = making
  const recording = recordingOf(day)
  if (!recording || !isKnown(making, recording.end)) return []
  const type = typeIfAny(making, 'watch')
  return [
    {
      id: idFor(making, 'electrocardiogram', type, day.date),
      session_start: toWire(recording.start),
      session_end: toWire(recording.end),
      voltage_sample_count: recording.count,
      heart_rate_mean: recording.beatsPerMinute,
      sampling_frequency_hz: recording.hertz,
      classification: recording.isClear ? 'sinus_rhythm' : 'inconclusive',
      inconclusive_cause: recording.isClear ? null : 'poor_reading',
      algorithm_version: '2',
      time_zone: day.timeZone,
      ...flatSource(making, type),
      source_device_model: null,
      user_id: connection.user_id,
      source: sourceFor(making, type),
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
  const type = typeOf(making)
  return [
    {
      id: idFor(making, 'profile', type, 'profile'),
      user_id: connection.user_id,
      height: day.person.heightCm,
      birth_date: birthDate ?? day.person.birthDate,
      wheelchair_use: null,
      gender: day.person.sex,
      sex: day.person.sex,
      source: sourceFor(making, type),
      ...stampsOf(making, known_since),
    },
  ]
}
