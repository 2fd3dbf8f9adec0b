import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { JsonText } from '../../src/kernel/json.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { getSeries } from '../../src/resources/timeseries/catalogue.ts'
import { type EventsOfStored, eventsOfSamples, putSamples } from '../../src/resources/timeseries/service.ts'
import { connectionOf } from '../support/made-day.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, put, told, wearer } from '../support/wearables.ts'

const PROVIDER = 'apple_health_kit'
const NINE = Date.parse('2026-01-05T09:00:00Z')
const hours = (count: number) => NINE + count * HOUR_MS
const iso = (instant: number) => new Date(instant).toISOString()
type Pair = readonly [hour: number, value: number]

/** A phone that uploads, and whose connection may follow a feed scenario of these steps. */
async function phone(steps: readonly object[] = []) {
  const petri = await startTestWorld()
  const userId = await wearer(petri, [])
  await petri.post(
    `/v2/link/provider/manual/${PROVIDER}`,
    { user_id: userId },
    { 'x-vital-ios-sdk-version': '1.8.8' },
  )
  if (steps.length > 0) {
    const scenario = { name: 'mine', summary: 'Mine.', kind: 'feed', steps }
    expect((await petri.put('/_petri/scenarios/mine', scenario)).status).toBeLessThan(300)
    const path = `/_petri/users/${userId}/connections/${PROVIDER}/feed`
    expect(await petri.put(path, { scenario: 'mine' })).toAnswer(200)
  }
  const send = async (pairs: readonly Pair[], more: object = {}) => {
    const samples = pairs.map(([hour, value]) => ({ timestamp: iso(hours(hour)), value }))
    const { body } = await put(petri, userId, { resource: 'heartrate', provider: PROVIDER, samples, ...more })
    return [body.created, body.updated]
  }
  return { petri, userId, send, own: connectionOf(petri, userId, PROVIDER) }
}
type Phone = Awaited<ReturnType<typeof phone>>

/** The groups of a series: the type of their source, and the hour and value of each sample. */
async function groups({ petri, userId }: Phone, [from, until] = [-100, 100], slug = 'heartrate') {
  const body = await petri.read(
    `/v2/timeseries/${userId}/${slug}/grouped?start_date=${iso(hours(from))}&end_date=${iso(hours(until))}`,
  )
  const all = (body.groups[PROVIDER] ?? []) as { source: { type: string }; data: object[] }[]
  return all.map(({ source, data }) => [source.type, ...briefly(data)])
}
const briefly = (data: readonly object[]) =>
  (data as { timestamp: string; value: number }[]).map(({ timestamp, value }) => [
    (Date.parse(timestamp) - NINE) / HOUR_MS,
    value,
  ])

/** What was announced: what of which source, and its samples. */
const announced = (petri: TestPetri) =>
  told(petri)
    .filter(({ event_type }) => event_type.startsWith('daily.data.'))
    .map(({ event_type, data }) => [event_type.split('.').at(-1), data.source.type, ...briefly(data.data)])
/** The same of what a period brings by itself. */
const arriving = ({ petri, own }: Phone, from: number, until: number) =>
  runAtOnce(eventsOfSamples(petri.world(), own, { from: hours(from), until: hours(until) })).map(
    ({ type, data }) => {
      const batch = JSON.parse(data instanceof JsonText ? data.text : '')
      return [type.split('.').at(-1), batch.source.type, ...briefly(batch.data)]
    },
  )

describe('samples of a phone', () => {
  it('are those that it uploads, by device and with nothing beside them', async () => {
    const own = await phone()
    expect(
      await own.send(
        [
          [-2, 61],
          [-1, 62],
        ],
        { source_type: 'watch' },
      ),
    ).toEqual([2, 0])
    expect(await own.send([[-3, 63]], { source_type: 'phone' })).toEqual([1, 0])
    expect(await groups(own)).toEqual([
      ['watch', [-2, 61], [-1, 62]],
      ['phone', [-3, 63]],
    ])
    expect(await groups(own, [-2, -2])).toEqual([['watch', [-2, 61]]])
    expect(await groups(own, [-1, 5])).toEqual([['watch', [-1, 62]]])
    expect(await groups(own, [-1.5, -1.2])).toEqual([])
    // Another provider's samples are put in, and are none of the phone's.
    await own.send([[-1, 99]], { provider: 'polar', source_type: 'watch' })
    expect(await groups(own, [-1, -1])).toEqual([['watch', [-1, 62]]])
    expect(arriving(own, -24, 0)).toEqual([])
  })

  it('of a series that phones do not upload stand beside', async () => {
    const own = await phone()
    const sample = { timestamp: iso(hours(-1)), value: 40 }
    const body = { resource: 'stress_level', provider: PROVIDER, samples: [sample] }
    expect((await put(own.petri, own.userId, body)).body).toMatchObject({ created: 1, updated: 0 })
    expect((await put(own.petri, own.userId, body)).body).toMatchObject({ created: 0, updated: 1 })
    expect(await groups(own, [-2, 0], 'stress_level')).toEqual([['watch', [-1, 40]]])
  })

  it.each([
    ['all', [1, 2], ['created 2', 'updated 1,3']],
    ['changes', [1, 1], ['created 2', 'updated 3']],
    ['none', [1, 1], []],
  ] as const)('that come again cause events for %s of them', async (events, counts, expected) => {
    const { petri, userId } = await phone()
    const send = (pairs: readonly Pair[], of: EventsOfStored) =>
      runAtOnce(
        putSamples(petri.world(), {
          userId,
          series: getSeries('heartrate'),
          provider: PROVIDER,
          type: 'watch',
          events: of,
          samples: pairs.map(([hour, value]) => ({
            start: hours(hour),
            end: hours(hour),
            offsetSeconds: null,
            value,
            type: null,
          })),
        }),
      )
    await send(
      [
        [-3, 1],
        [-1, 1],
      ],
      'none',
    )
    expect(announced(petri)).toEqual([])
    const { created, updated } = send(
      [
        [-1, 3],
        [-2, 2],
        [-3, 1],
      ],
      events,
    )
    expect([created, updated]).toEqual(counts)
    expect(
      announced(petri).map(([what, , ...pairs]) => `${what} ${pairs.map((pair) => (pair as number[])[1])}`),
    ).toEqual(expected)
  })
})

describe('samples of a phone that follows a feed scenario', () => {
  it('are not there while they are withheld, from the first instant on and up to the last', async () => {
    const own = await phone([{ after: '1h', gap: '2h', arrives: '3h' }])
    await advance(own.petri, 3.5 * HOUR_MS)
    expect(
      await own.send([
        [0.99, 1],
        [1, 2],
        [2.99, 3],
        [3, 4],
      ]),
    ).toEqual([2, 0])
    const expected = ['watch', [0.99, 1], [3, 4]]
    expect(await groups(own)).toEqual([expected])
    expect(announced(own.petri)).toEqual([['created', ...expected]])
    // What is changed of them is not told of either.
    expect(
      await own.send([
        [1, 20],
        [3, 40],
      ]),
    ).toEqual([0, 1])
    expect(announced(own.petri)[1]).toEqual(['updated', 'watch', [3, 40]])
    await advance(own.petri, 4 * HOUR_MS)
    expect(await groups(own)).toEqual([['watch', [0.99, 1], [1, 20], [2.99, 3], [3, 40]]])
    expect(arriving(own, 5, 5.9)).toEqual([])
    expect(arriving(own, 5.9, 6)).toEqual([['created', 'watch', [1, 20], [2.99, 3]]])
    expect(arriving(own, 6, 7)).toEqual([])
  })

  it('are announced once, when they arrive, also if a control call puts in more of them', async () => {
    const own = await phone([{ after: '1h', gap: '4h', arrives: '3h' }])
    await advance(own.petri, 6 * HOUR_MS)
    await own.send([
      [0.5, 60],
      [2, 62],
    ])
    expect(announced(own.petri)).toEqual([['created', 'watch', [0.5, 60]]])
    // The withheld data arrive in the middle of two hours, after which the connection is refreshed.
    await advance(own.petri, 2.5 * HOUR_MS)
    await own.send([[3, 63]])
    const arrived = [
      ['created', 'watch', [2, 62]],
      ['created', 'watch', [3, 63]],
    ]
    expect(announced(own.petri).slice(1)).toEqual(arrived)
    await advance(own.petri, DAY_MS)
    expect(announced(own.petri).slice(1)).toEqual(arrived)
  })

  it('are announced when they arrive, if nothing more is put in', async () => {
    const own = await phone([{ after: '1h', gap: '4h', arrives: '3h' }])
    await advance(own.petri, 6 * HOUR_MS)
    await own.send([[2, 62]])
    expect(announced(own.petri)).toEqual([])
    await advance(own.petri, DAY_MS)
    expect(announced(own.petri)).toEqual([['created', 'watch', [2, 62]]])
  })

  it('are withheld of each device, also at the very beginning', async () => {
    const own = await phone([{ after: '1h', gap: '2h' }])
    await advance(own.petri, 4 * HOUR_MS)
    for (const source_type of ['phone', 'watch', 'scale'])
      expect(await own.send([[1, 5]], { source_type })).toEqual([0, 0])
    expect(await groups(own)).toEqual([])
  })

  it('come twice while they are duplicated, with events for both', async () => {
    const own = await phone([{ after: '1h', duplicate: '2h', of: ['heartrate'] }])
    await advance(own.petri, 4 * HOUR_MS)
    const all = [
      [0.99, 1],
      [1, 2],
      [2.99, 3.125],
      [3, 4],
    ] as const
    expect(await own.send(all)).toEqual([4, 0])
    const twice = [
      ['watch', ...all],
      ['watch', [1, 2], [2.99, 3.125]],
    ]
    expect(await groups(own)).toEqual(twice)
    expect(announced(own.petri)).toEqual(twice.map((group) => ['created', ...group]))
    expect(
      await own.send([
        [1, 2],
        [2.99, 30],
        [3, 4],
      ]),
    ).toEqual([0, 3])
    expect(announced(own.petri).slice(2)).toEqual([
      ['updated', 'watch', [1, 2], [2.99, 30], [3, 4]],
      ['updated', 'watch', [1, 2], [2.99, 30]],
    ])
    const { body } = await put(own.petri, own.userId, {
      resource: 'blood_oxygen',
      provider: PROVIDER,
      samples: [{ timestamp: iso(hours(2)), value: 97 }],
    })
    expect(body).toMatchObject({ created: 1 })
    expect(await groups(own, [0, 4], 'blood_oxygen')).toEqual([['watch', [2, 97]]])
  })

  it.each([
    ['phone', 'phone'],
    ['watch', 'phone'],
  ])('have a second source of type %s beside the watch, shown as %s', async (source_type, shown) => {
    const own = await phone([{ after: '0s', second_source: '1d', source_type, by: 0.5 }])
    await advance(own.petri, 4 * HOUR_MS)
    await own.send([
      [1, 61],
      [2, 60.5],
    ])
    expect(await groups(own)).toEqual([
      ['watch', [1, 61], [2, 60.5]],
      [shown, [1, 31], [2, 30.25]],
    ])
  })

  it('are corrected when the rest arrives, and told of as updated', async () => {
    const own = await phone([{ after: '0s', incomplete: '2h', by: 0.5, arrives: '3h', of: ['heartrate'] }])
    await advance(own.petri, 2 * HOUR_MS)
    await own.send([
      [1, 60],
      [2, 70],
    ])
    expect(await groups(own)).toEqual([['watch', [1, 30], [2, 70]]])
    expect(await own.send([[1, 80]])).toEqual([0, 1])
    expect(announced(own.petri)).toEqual([
      ['created', 'watch', [1, 30], [2, 70]],
      ['updated', 'watch', [1, 40]],
    ])
    await advance(own.petri, 4.5 * HOUR_MS)
    expect(await groups(own)).toEqual([['watch', [1, 80], [2, 70]]])
    expect(arriving(own, 3.5, 4)).toEqual([['updated', 'watch', [1, 80]]])
  })
})
