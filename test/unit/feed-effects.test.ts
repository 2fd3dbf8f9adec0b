import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { feedEffects, feedMarks } from '../../src/scenarios/feeds/effects.ts'
import type { FeedStep } from '../../src/scenarios/feeds/steps.ts'
import type { Chapter } from '../../src/scenarios/feeds/table.ts'
import { sourcesOf } from '../../src/world/ids.ts'

/** Midnight, UTC. */
const MIDNIGHT = Date.parse('2026-01-05T00:00:00Z')
const BEGAN = MIDNIGHT + 100
const ALWAYS = { from: MIDNIGHT, until: MIDNIGHT + DAY_MS }

const chapterOf = (steps: readonly FeedStep[], more: Partial<Chapter> = {}): Chapter => ({
  scenario: 'mine',
  began: BEGAN,
  ended: null,
  whole: false,
  steps,
  ...more,
})
const sources = sourcesOf({ seed: '1' })
const feedOf = (...chapters: Chapter[]) => ({ user_id: 'ada', provider: 'fitbit', chapters })
function effectsOf(chapters: Chapter[], home = 'UTC') {
  const effects = feedEffects(feedOf(...chapters), home, sources)
  if (!effects) throw new Error('there are no effects')
  return effects
}
const effects = (steps: readonly FeedStep[], more: Partial<Chapter> = {}) =>
  effectsOf([chapterOf(steps, more)])
/** A stretch in milliseconds since midnight. */
const stretch = (from: number, until: number) => ({ from: MIDNIGHT + from, until: MIDNIGHT + until })
const at = (ms: number) => MIDNIGHT + ms

// Five milliseconds, from 110 to 115 after midnight.
const gap = { verb: 'gap', atMs: 10, forMs: 5, arrivesMs: 3 } as const
const outage = { verb: 'outage', atMs: 10, forMs: 5 } as const
const change = { verb: 'change', atMs: 10, forMs: 5, of: ['steps'], by: 2, arrivesMs: null } as const
const incomplete = { verb: 'incomplete', atMs: 10, forMs: 5, of: null, by: 0.5, arrivesMs: 3 } as const

const toTokyo = (atMs: number) => ({ verb: 'time_zone', atMs, zone: 'Asia/Tokyo' }) as const

describe('a feed scenario without effects', () => {
  it('has none at all: without steps, with acts only, and when it ended before they began', () => {
    const error = { verb: 'error', atMs: 0, errorType: 'unknown', message: 'x' } as const
    for (const chapter of [
      chapterOf([]),
      chapterOf([error, { verb: 'reconnect', atMs: 1 }]),
      chapterOf([gap], { ended: BEGAN + 10 }),
    ])
      expect(feedEffects(feedOf(chapter), 'UTC', sources)).toBeUndefined()
    expect(feedEffects(feedOf(chapterOf([gap], { ended: BEGAN + 11 })), 'UTC', sources)).toBeDefined()
  })
})

describe('a gap', () => {
  it('hides its period until its data arrive', () => {
    const { hidden } = effects([gap])
    expect(hidden(ALWAYS, at(117))).toEqual([stretch(110, 115)])
    expect(hidden(ALWAYS, at(118))).toEqual([])
  })

  it('hides it from whoever asks for a part of it, and from nobody else', () => {
    const { hidden } = effects([gap])
    for (const part of [stretch(110, 111), stretch(114, 115), stretch(0, 111), stretch(114, 500)])
      expect(hidden(part, at(0))).toHaveLength(1)
    for (const other of [stretch(0, 110), stretch(115, 500)]) expect(hidden(other, at(0))).toEqual([])
  })

  it('hides it for good when its data never arrive, and to the end without a duration', () => {
    expect(effects([{ ...gap, arrivesMs: null }]).hidden(ALWAYS, at(DAY_MS))).toEqual([stretch(110, 115)])
    const [open] = effects([{ ...gap, forMs: null, arrivesMs: null }]).hidden(ALWAYS, at(0))
    expect(open).toEqual({ from: at(110), until: Number.POSITIVE_INFINITY })
  })

  it('that ends with its scenario ends there', () => {
    const cut = effects([gap], { ended: BEGAN + 12 })
    expect(cut.hidden(ALWAYS, at(114))).toEqual([stretch(110, 112)])
    expect(cut.hidden(ALWAYS, at(115))).toEqual([])
  })

  it('tells when its data arrived: once, at one instant', () => {
    const { changedIn, arrivalOf, touchedAt } = effects([gap])
    expect(changedIn(at(117), at(118))).toEqual([stretch(110, 115)])
    expect(changedIn(at(0), at(117))).toEqual([])
    expect(changedIn(at(118), at(500))).toEqual([])
    expect([110, 111, 115, 116].map((ms) => arrivalOf(at(ms)) - MIDNIGHT)).toEqual([110, 118, 118, 116])
    expect(touchedAt(stretch(114, 120), at(118))).toBe(at(118))
    expect(touchedAt(stretch(114, 120), at(117))).toBeUndefined()
    expect(touchedAt(stretch(115, 120), at(500))).toBeUndefined()
  })

  it('whose data never arrive changes no arrival', () => {
    const { changedIn, arrivalOf } = effects([{ ...gap, arrivesMs: null }])
    expect(changedIn(at(0), at(DAY_MS))).toEqual([])
    expect(arrivalOf(at(112))).toBe(at(112))
  })

  it('is no outage', () => {
    expect(effects([gap]).isDown(at(112))).toBe(false)
    expect(effects([gap, outage]).isDown(at(112))).toBe(true)
  })

  it('at the start of a first connection hides its history too, if it has no end', () => {
    const first = (more: object) => {
      const step = { ...gap, atMs: 0, forMs: null, arrivesMs: null, ...more }
      return effects([step], { whole: true }).hidden(ALWAYS, at(0))[0]?.from
    }
    expect(first({})).toBe(Number.NEGATIVE_INFINITY)
    expect(first({ atMs: 1 })).toBe(BEGAN + 1)
    expect(first({ forMs: 5 })).toBe(BEGAN)
    const later = effects([{ ...gap, atMs: 0, forMs: null, arrivesMs: null }])
    expect(later.hidden(ALWAYS, at(0))[0]?.from).toBe(BEGAN)
  })
})

describe('an outage', () => {
  it('hides its period until it ends, and is down for as long', () => {
    const { hidden, isDown, changedIn, arrivalOf } = effects([outage])
    expect(hidden(ALWAYS, at(114))).toEqual([stretch(110, 115)])
    expect(hidden(ALWAYS, at(115))).toEqual([])
    expect([109, 110, 114, 115].map((ms) => isDown(at(ms)))).toEqual([false, true, true, false])
    expect(changedIn(at(114), at(115))).toEqual([stretch(110, 115)])
    expect(arrivalOf(at(112))).toBe(at(115))
  })
})

describe('a change', () => {
  const sample = (start: number, value: number | string | null = 3) => ({
    start: at(start),
    end: at(start + 1),
    value,
  })

  it('multiplies the samples that begin within it', () => {
    const { altered } = effects([change])
    const value = (start: number) => altered('steps', sample(start), at(0)).value
    expect([109, 110, 114, 115].map(value)).toEqual([3, 6, 6, 3])
  })

  it('concerns its series, or all when it names none', () => {
    expect(effects([change]).altered('heartrate', sample(112), at(0)).value).toBe(3)
    expect(effects([{ ...change, of: null }]).altered('heartrate', sample(112), at(0)).value).toBe(6)
  })

  it('keeps whole numbers whole and two decimals of others, and leaves what is no number', () => {
    const { altered } = effects([{ ...change, by: 1.5 }])
    const value = (one: number | string | null) => altered('steps', sample(112, one), at(0)).value
    expect([3, 0.25, 1.11, 'x', null].map(value)).toEqual([5, 0.38, 1.67, 'x', null])
  })

  it('multiplies together with another', () => {
    const { altered } = effects([change, { ...change, by: 5 }, { ...change, by: 0.1, of: ['heartrate'] }])
    expect(altered('steps', sample(112), at(0)).value).toBe(30)
    const undone = sample(112)
    expect(effects([change, { ...change, by: 0.5 }]).altered('steps', undone, at(0))).toBe(undone)
  })

  it('that arrives later is seen from then on', () => {
    const { altered, changedIn, hidden } = effects([{ ...change, arrivesMs: 3 }])
    expect(altered('steps', sample(112), at(117)).value).toBe(3)
    expect(altered('steps', sample(112), at(118)).value).toBe(6)
    expect(changedIn(at(117), at(118))).toEqual([stretch(110, 115)])
    expect(hidden(ALWAYS, at(0))).toEqual([])
  })
})

describe('an incomplete period', () => {
  const sample = { start: at(112), end: at(113), value: 10 }

  it('completes each sample some time after its end', () => {
    const { altered } = effects([incomplete])
    expect(altered('steps', sample, at(115)).value).toBe(5)
    expect(altered('steps', sample, at(116)).value).toBe(10)
  })

  it('tells which part was completed', () => {
    const { changedIn } = effects([{ ...incomplete, forMs: 2 * DAY_MS }])
    expect(changedIn(at(109), at(110))).toEqual([])
    expect(changedIn(at(110), at(111))).toEqual([stretch(110, 111)])
    const next = changedIn(at(DAY_MS), at(DAY_MS + 50))
    expect(next).toEqual([stretch(DAY_MS - 3 - 12 * HOUR_MS, DAY_MS + 50)])
    const end = 110 + 2 * DAY_MS
    expect(changedIn(at(end - 5), at(end + 5))).toEqual([stretch(end - 5 - 3 - 12 * HOUR_MS, end)])
    expect(changedIn(at(end + 3 + 12 * HOUR_MS), at(end + DAY_MS))).toEqual([])
  })

  it('touches a period until its last sample is complete', () => {
    const { touchedAt } = effects([incomplete])
    expect(touchedAt(stretch(100, 112), at(115))).toBe(at(115))
    expect(touchedAt(stretch(100, 500), at(118))).toBe(at(118))
    expect(touchedAt(stretch(100, 500), at(117))).toBeUndefined()
    expect(touchedAt(stretch(100, 110), at(500))).toBeUndefined()
  })
})

describe('samples beside the usual ones', () => {
  it('are the same once more, or those of another device, of the series concerned', () => {
    const second = {
      verb: 'second_source',
      atMs: 10,
      forMs: 5,
      of: null,
      by: 0.9,
      sourceType: 'phone',
    } as const
    const duplicate = { verb: 'duplicate', atMs: 10, forMs: 5, of: ['steps'] } as const
    const { beside } = effects([second, duplicate, gap, change])
    expect(beside('steps')).toEqual([
      { ...stretch(110, 115), type: 'phone', by: 0.9 },
      { ...stretch(110, 115), type: null, by: 1 },
    ])
    expect(beside('heartrate')).toEqual([{ ...stretch(110, 115), type: 'phone', by: 0.9 }])
  })
})

describe('days without a device', () => {
  const days = { from: MIDNIGHT, until: MIDNIGHT + 20 * DAY_MS }
  const skipping = (share: number) => ({ verb: 'skip_days', atMs: 0, forMs: 20 * DAY_MS, share }) as const

  it('are whole local days, by their share', () => {
    const start = { began: MIDNIGHT }
    expect(effects([skipping(1)], start).hidden(days, 0)).toHaveLength(20)
    expect(effects([skipping(1)], start).hidden({ from: at(1), until: at(2) }, 0)).toEqual([
      stretch(0, DAY_MS),
    ])
    const half = effects([skipping(0.5)], start).hidden(days, 0).length
    expect(half).toBeGreaterThan(4)
    expect(half).toBeLessThan(16)
    expect(effects([skipping(1e-9)], start).hidden(days, 0)).toEqual([])
  })

  it('are others for another user and another provider', () => {
    const hiddenOf = (more: object) => {
      const feed = { ...feedOf(chapterOf([skipping(0.5)], { began: MIDNIGHT })), ...more }
      return JSON.stringify(feedEffects(feed, 'UTC', sources)?.hidden(days, 0))
    }
    const found = [{}, { user_id: 'ben' }, { provider: 'oura' }].map(hiddenOf)
    expect(new Set(found).size).toBe(3)
    expect(hiddenOf({})).toBe(found[0])
  })

  it('begin at midnight of where the wearer is', () => {
    const tokyo = effectsOf([chapterOf([skipping(1)], { began: MIDNIGHT - DAY_MS })], 'Asia/Tokyo')
    const [first] = tokyo.hidden({ from: at(0), until: at(1) }, 0)
    expect(first).toEqual(stretch(-9 * HOUR_MS, 15 * HOUR_MS))
    const { hidden } = effects([toTokyo(12 * HOUR_MS), skipping(1)], { began: MIDNIGHT })
    expect(hidden(stretch(0, 1), 0)).toEqual([stretch(0, 15 * HOUR_MS)])
    expect(hidden(stretch(20 * HOUR_MS, 21 * HOUR_MS), 0)).toEqual([stretch(15 * HOUR_MS, 39 * HOUR_MS)])
  })

  it('are cut where the step begins and ends', () => {
    const cut = effects([{ verb: 'skip_days', atMs: 0, forMs: 10, share: 1 }])
    expect(cut.hidden(days, 0)).toEqual([stretch(100, 110)])
    expect(cut.hidden(stretch(0, 100), 0)).toEqual([])
    expect(cut.hidden(stretch(110, 200), 0)).toEqual([])
  })

  it('have no part before the step, even an empty one', () => {
    const worn = { verb: 'worn', atMs: 0, forMs: 20 * DAY_MS, wornMs: 13 * HOUR_MS } as const
    const evening = stretch(21 * HOUR_MS, DAY_MS)
    for (const hour of [8, 12]) {
      const [first] = effects([worn], { began: at(hour * HOUR_MS) }).hidden(days, 0)
      expect(first).toEqual(evening)
    }
    const [first] = effects([worn], { began: at(8 * HOUR_MS - 1) }).hidden(days, 0)
    expect(first).toEqual(stretch(8 * HOUR_MS - 1, 8 * HOUR_MS))
  })

  it('leave the rest of the others: the device is worn for so long, between eight and nine', () => {
    for (const hours of [1, 8, 11.5, 13]) {
      const worn = { verb: 'worn', atMs: 0, forMs: 20 * DAY_MS, wornMs: hours * HOUR_MS } as const
      const off = effects([worn], { began: MIDNIGHT }).hidden(days, 0)
      expect(off).toHaveLength(40)
      const starts = new Set<number>()
      for (let day = 0; day < 20; day++) {
        const [before, after] = [off[2 * day], off[2 * day + 1]]
        const midnight = day * DAY_MS
        expect(before?.from).toBe(at(midnight))
        expect(after?.until).toBe(at(midnight + DAY_MS))
        expect((after?.from ?? 0) - (before?.until ?? 0)).toBe(hours * HOUR_MS)
        const on = ((before?.until ?? 0) - at(midnight)) / HOUR_MS
        expect(Number.isInteger(on) && on >= 8 && on + hours <= 21).toBe(true)
        starts.add(on)
      }
      expect(starts.size).toBe(hours === 13 ? 1 : starts.size)
      if (hours === 1) expect([Math.min(...starts), Math.max(...starts)]).toEqual([8, 20])
      if (hours === 11.5) expect([...starts].sort()).toEqual([8, 9])
    }
  })
})

describe('a wearer who travels', () => {
  it('is there from the next local day on', () => {
    const { zoneOn, dateAt } = effects([toTokyo(12 * HOUR_MS)], { began: MIDNIGHT })
    expect(['2026-01-04', '2026-01-05', '2026-01-06', '2026-02-01'].map(zoneOn)).toEqual([
      'UTC',
      'UTC',
      'Asia/Tokyo',
      'Asia/Tokyo',
    ])
    // The next day begins in Tokyo at 15:00 UTC.
    expect([-1, 14, 15, 38, 39].map((hours) => dateAt(at(hours * HOUR_MS)))).toEqual([
      '2026-01-04',
      '2026-01-05',
      '2026-01-06',
      '2026-01-06',
      '2026-01-07',
    ])
  })

  it('comes back, and has no day twice', () => {
    const back = { verb: 'time_zone', atMs: 2 * DAY_MS, zone: 'UTC' } as const
    const { zoneOn, dateAt } = effects([toTokyo(12 * HOUR_MS), back], { began: MIDNIGHT })
    expect(['2026-01-07', '2026-01-08'].map(zoneOn)).toEqual(['Asia/Tokyo', 'UTC'])
    const hours = Array.from({ length: 96 }, (_, hour) => dateAt(at(hour * HOUR_MS)))
    expect(hours).toEqual([...hours].sort())
    expect(hours[63]).toBe('2026-01-07')
    expect(hours[72]).toBe('2026-01-08')
  })

  it('leaves at the midnight of where the wearer is, and stays there whatever else happens', () => {
    const back = { verb: 'time_zone', atMs: 2 * DAY_MS + 16 * HOUR_MS, zone: 'UTC' } as const
    const { zoneOn } = effects([toTokyo(12 * HOUR_MS), back], { began: MIDNIGHT })
    expect(['2026-01-08', '2026-01-09'].map(zoneOn)).toEqual(['Asia/Tokyo', 'UTC'])
    const later = effects([toTokyo(1), { ...gap, atMs: 2 * DAY_MS }])
    expect(later.zoneOn('2027-01-01')).toBe('Asia/Tokyo')
  })

  it('was there all along when a first connection begins so, and stays at home when the scenario ends before', () => {
    const whole = effects([toTokyo(0)], { whole: true })
    expect(whole.zoneOn('2020-01-01')).toBe('Asia/Tokyo')
    expect(effects([toTokyo(0)]).zoneOn('2020-01-01')).toBe('UTC')
    expect(effects([toTokyo(1)], { whole: true }).zoneOn('2020-01-01')).toBe('UTC')
    const ended = effectsOf([chapterOf([gap, toTokyo(500)], { ended: BEGAN + 500 })])
    expect(ended.zoneOn('2027-01-01')).toBe('UTC')
    expect(effects([gap, toTokyo(499)], { ended: BEGAN + 500 }).zoneOn('2027-01-01')).toBe('Asia/Tokyo')
  })
})

describe('the history of consents', () => {
  const history = (atMs: number, takesMs: number | null) =>
    ({ verb: 'history', atMs, takesMs, comes: null }) as const

  it('is that of the last step before each, while its scenario lasts', () => {
    const { historyOf } = effects([history(10, 5), history(20, 6)], { ended: BEGAN + 30 })
    const takes = [109, 110, 119, 120, 129, 130].map((ms) => historyOf(at(ms))?.takesMs)
    expect(takes).toEqual([undefined, 5, 5, 6, 6, undefined])
    expect(effects([gap]).historyOf(at(112))).toBeUndefined()
  })
})

describe('the marks of a feed', () => {
  it('say what happened to which series, and when it was right again', () => {
    const marks = (step: FeedStep) => feedMarks(feedOf(chapterOf([step])))
    const period = stretch(110, 115)
    expect(marks(gap)).toEqual([{ does: 'held_back', ...period, series: null, settledAt: at(118) }])
    expect(marks({ ...gap, arrivesMs: null })[0]?.settledAt).toBeNull()
    expect(marks(outage)).toEqual([{ does: 'held_back', ...period, series: null, settledAt: at(115) }])
    expect(marks(change)).toEqual([{ does: 'changed', ...period, series: ['steps'], settledAt: null }])
    expect(marks(incomplete)).toEqual([{ does: 'changed', ...period, series: null, settledAt: at(118) }])
    const duplicate = { verb: 'duplicate', atMs: 10, forMs: 5, of: null } as const
    expect(marks(duplicate)).toEqual([{ does: 'doubled', ...period, series: null, settledAt: null }])
    expect(marks({ ...duplicate, verb: 'second_source', by: 1, sourceType: 'phone' })[0]?.does).toBe(
      'doubled',
    )
    expect(marks({ verb: 'time_zone', atMs: 1, zone: 'UTC' })).toEqual([])
    expect(marks({ verb: 'worn', atMs: 1, forMs: 5, wornMs: 1 })).toEqual([])
  })
})
