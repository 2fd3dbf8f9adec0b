/** Uploads of a phone, and what was stored and announced of them. */

/** The first sample; the others follow each second. */
const FIRST = Date.parse('2026-01-01T00:00:00Z')

/** Calls that upload so many samples of the heart rate, one after the other. */
export const heartRateUpload = (userId, count) => [
  ['POST', `/v2/user/${userId}/sdk_sync_state/apple_health_kit`, { tzinfo: 'UTC' }],
  [
    'POST',
    `/v2/timeseries/${userId}/heartrate`,
    {
      stage: 'daily',
      time_zone: 'UTC',
      provider: 'apple_health_kit',
      data: Array.from({ length: count }, (_, at) => {
        const instant = new Date(FIRST + at * 1000).toISOString()
        return { value: 60, start_date: instant, end_date: instant, unit: 'bpm' }
      }),
    },
  ],
]

/** How often each of a user's samples that a phone uploaded was announced, by its instant. */
export function announcements(payloads, userId) {
  const times = new Map()
  for (const { user_id, event_type, data } of payloads) {
    if (user_id !== userId || !event_type.includes('.heartrate.')) continue
    if (data.source?.provider !== 'apple_health_kit') continue
    for (const { timestamp } of data.data ?? []) {
      const at = Date.parse(timestamp)
      times.set(at, (times.get(at) ?? 0) + 1)
    }
  }
  return times
}

/** The instants of a user's samples in an exported state. */
export const storedSamples = ({ tables }, userId) =>
  Object.values(tables.stored_samples ?? {})
    .filter((row) => JSON.stringify(row).includes(userId))
    .map(({ sample }) => sample.start)
