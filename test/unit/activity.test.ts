import { describe, expect, it } from 'vitest'
import { Clock } from '../../src/kernel/clock.ts'
import { Activity, Counters, EventBus } from '../../src/scheduler/activity.ts'
import { runInJob } from '../../src/scheduler/context.ts'
import type { Effect, Job } from '../../src/scheduler/job.ts'

const listener = (seen: unknown[]) => ({
  onEffect: (effect: Effect) => void seen.push(effect),
  onEnd: () => void seen.push('end'),
})
const effect = (kind: string, fields: object = {}): Effect => ({ at: 1, kind, ...fields })

describe('the event bus', () => {
  it('tells everybody everything, until they leave', () => {
    const bus = new EventBus()
    const [one, other]: [unknown[], unknown[]] = [[], []]
    const leave = bus.subscribe(listener(one))
    bus.subscribe(listener(other))
    expect(bus.subscribers).toBe(2)
    bus.publish(effect('a'))
    leave()
    bus.publish(effect('b'))
    expect([one, other]).toEqual([[effect('a')], [effect('a'), effect('b')]])
    expect(bus.subscribers).toBe(1)
  })

  it.each(['order_id', 'user_id', 'event_type', 'operation'])(
    'tells who asks for one %s of nothing else, but of what is about everything',
    (field) => {
      const bus = new EventBus()
      const seen: unknown[] = []
      bus.subscribe(listener(seen), 'mine')
      bus.publish(effect('order', { [field]: 'mine' }))
      bus.publish(effect('order', { [field]: 'other' }))
      bus.publish(effect('order', { message_id: 'mine', [field]: 'other' }))
      bus.publish(effect('clock', { [field]: 5 }))
      expect(seen).toEqual([effect('order', { [field]: 'mine' }), effect('clock', { [field]: 5 })])
    },
  )

  it('tells each of several that ask for the same, and counts them as they leave', () => {
    const bus = new EventBus()
    const seen: string[] = []
    const watch = (name: string) =>
      bus.subscribe({ onEffect: () => void seen.push(name), onEnd: () => undefined }, 'mine')
    const leave = watch('one')
    const leaveToo = watch('other')
    bus.publish(effect('order', { order_id: 'mine' }))
    expect(seen).toEqual(['one', 'other'])
    leave()
    leave()
    expect(bus.subscribers).toBe(1)
    bus.publish(effect('order', { order_id: 'mine' }))
    expect(seen).toEqual(['one', 'other', 'other'])
    leaveToo()
    expect(bus.subscribers).toBe(0)
    watch('third')
    leaveToo()
    bus.publish(effect('order', { order_id: 'mine' }))
    expect(seen.at(-1)).toBe('third')
    expect(bus.subscribers).toBe(1)
  })

  it('lets somebody leave while it tells the others', () => {
    const bus = new EventBus()
    const seen: string[] = []
    const leave = bus.subscribe(
      {
        onEffect() {
          seen.push('one')
          leave()
        },
        onEnd: () => undefined,
      },
      'mine',
    )
    bus.subscribe({ onEffect: () => void seen.push('other'), onEnd: () => undefined }, 'yours')
    bus.publish(effect('clock'))
    bus.publish(effect('clock'))
    expect(seen).toEqual(['one', 'other', 'other'])
  })

  it('ends once for everybody, and at once for whoever comes later', () => {
    const bus = new EventBus()
    const [all, topic, late]: [unknown[], unknown[], unknown[]] = [[], [], []]
    bus.subscribe(listener(all))
    const leave = bus.subscribe(listener(topic), 'mine')
    bus.end()
    bus.subscribe(listener(late))()
    bus.subscribe(listener(late), 'mine')()
    bus.publish(effect('a'))
    expect([all, topic, late]).toEqual([['end'], ['end'], ['end', 'end']])
    leave()
    expect(bus.subscribers).toBe(0)
  })
})

describe('counters', () => {
  it('count by group and name', () => {
    const counters = new Counters()
    for (const name of ['a', 'b', 'a']) counters.count('one', name)
    counters.count('other', 'a')
    expect(Object.fromEntries(counters.get('one'))).toEqual({ a: 2, b: 1 })
    expect(Object.fromEntries(counters.get('other'))).toEqual({ a: 1 })
    expect(counters.get('none').size).toBe(0)
  })

  it('go on counting the names they know when there are too many', () => {
    const counters = new Counters()
    for (let n = 0; n < 2005; n++) counters.count('group', `${n}`)
    counters.count('group', '0')
    expect([counters.get('group').size, counters.get('group').get('0')]).toEqual([2000, 2])
  })

  it('count events, statuses and successful deliveries, and nothing else that happens', () => {
    const counters = new Counters()
    counters.countEffect('event', { event_type: 'a.b' })
    counters.countEffect('order', { status: 'lost' })
    for (const status of [199, 200, 299, 300, 'error'])
      counters.countEffect('delivery', { event_type: 'a.b', status })
    counters.countEffect('clock', { event_type: 'a.b', status: 200 })
    const groups = ['event', 'order', 'delivered', 'clock', 'delivery']
    expect(groups.map((group) => Object.fromEntries(counters.get(group)))).toEqual([
      { 'a.b': 1 },
      { lost: 1 },
      { 'a.b': 2 },
      {},
      {},
    ])
  })
})

describe('the activity of a world', () => {
  const activityAt = (frozenAt: number | null) => {
    const bugs: unknown[] = []
    const activity = new Activity(new Clock({ offsetMs: 0, frozenAt }, () => 7), (bug) => bugs.push(bug))
    return { activity, bugs }
  }
  const inJob = (act: () => void) => runInJob(undefined, 1, act)
  const kindsOf = (activity: Activity) => activity.takeEffects().effects.map(({ kind }) => kind)

  it('is reported by an advance as the first 10,000 effects, and how many more there were', () => {
    const { activity } = activityAt(5)
    for (let n = 0; n < 10_003; n++) activity.record(`${n}`, {}, true)
    const { effects, dropped, stopped } = activity.takeEffects(true)
    expect([effects.length, effects.at(-1)?.kind, dropped, stopped]).toEqual([10_000, '9999', 3, true])
    expect(activity.takeEffects()).toEqual({ effects: [], dropped: 0, stopped: false })
  })

  it('is collected while the clock is advanced, and what jobs of a frozen world do for the next advance', () => {
    for (const [frozenAt, kept] of [
      [5, ['job', 'advance']],
      [null, ['advance']],
    ] as const) {
      const { activity } = activityAt(frozenAt)
      activity.record('call', {}, false)
      inJob(() => activity.record('job', {}, false))
      activity.record('advance', {}, true)
      expect(kindsOf(activity)).toEqual(kept)
      expect(kindsOf(activity)).toEqual([])
    }
  })

  it('is told at the time of the world, and a listener that throws stops nothing', () => {
    const { activity, bugs } = activityAt(5)
    const seen: unknown[] = []
    activity.bus.subscribe(listener(seen))
    activity.record('order', { order_id: 'x' }, false)
    expect(seen).toEqual([{ at: 5, kind: 'order', order_id: 'x' }])
    activity.bus.subscribe({
      onEffect() {
        throw new Error('no')
      },
      onEnd: () => undefined,
    })
    activity.record('order', { order_id: 'y' }, true)
    expect(bugs).toEqual([new Error('no')])
    expect(kindsOf(activity)).toEqual(['order'])
  })

  it('names the 20 latest jobs that failed', () => {
    const { activity, bugs } = activityAt(5)
    const job = (subject: string): Job => ({ due: 5, turn: 0, kind: 'bad', subject })
    for (let n = 0; n < 22; n++) activity.recordFailure(job(`${n}`), new Error(`no ${n}`), true)
    expect(activity.failures).toHaveLength(20)
    expect(activity.failures[0]).toEqual({ at: 5, kind: 'bad', subject: '2', detail: 'Error: no 2' })
    expect(bugs).toHaveLength(22)
    expect(kindsOf(activity)).toEqual(Array(22).fill('bug'))
  })
})
