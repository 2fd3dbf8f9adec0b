import { describe, expect, it } from 'vitest'
import { conditionTable } from '../../src/people/conditions.ts'
import { updateOrderMetadata } from '../../src/resources/orders/table.ts'
import { addFinding, findingsOf } from '../../src/resources/personas/service.ts'
import { currentValues, goalsOf } from '../../src/resources/results/service.ts'
import { createUser, readOrder } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  orderMarkers,
  POTASSIUM,
  report,
  reportOf,
  storedOrder,
} from '../support/quest-reports.ts'

/** Order codes of quest; two sexually transmitted infections have one. */
const TSH = '899'
const FREE_T4 = '866'
const A1C = '496'
const BLOOD_GROUP = '7788'
const INFECTIONS = '11363'
const GLUCOSE = '483'

const petri = forEachTest()

const completed = (codes: readonly (string | undefined)[], results: object = {}, user?: string) =>
  completedOrder(petri, codes, { results, user })
const goals = (id: string) => goalsOf(petri.world(), storedOrder(petri, id))
const findings = (user: string) => findingsOf(petri.world(), user)

describe('a condition that makes a result abnormal', () => {
  it('shows in the other results that it changes', async () => {
    const names = new Set<string | undefined>()
    for (let nth = 0; nth < 5; nth++) {
      const id = await completed([TSH, FREE_T4], { interpretation: 'abnormal' })
      const [{ slug, cause } = { slug: '' }] = goals(id)
      const other = slug === 'tsh' ? 't4-free' : 'tsh'
      const { line, values } = await reportOf(petri, id)
      updateOrderMetadata(petri.world(), id, { results: { interpretation: 'normal' } })
      const { values: normal } = await reportOf(petri, id)
      expect(line(other)?.interpretation).toBe('abnormal')
      const isHypothyroid = cause?.name === 'hypothyroidism'
      expect(Number(values.tsh) > Number(normal.tsh)).toBe(isHypothyroid)
      expect(Number(values['t4-free']) < Number(normal['t4-free'])).toBe(isHypothyroid)
      names.add(cause?.name)
    }
    expect([...names].sort()).toEqual(['hyperthyroidism', 'hypothyroidism'])
  })

  it('comes beside the others that the patient has', async () => {
    const user = await createUser(petri, 'ada')
    for (const [name, degree] of [
      ['type_2_diabetes', 0.6],
      ['hypothyroidism', 0.9],
    ] as const)
      addFinding(petri.world(), user, { name, since: '2025-12-20', until: null, degree })
    const id = await completed([TSH, A1C], { interpretation: 'abnormal' }, user)
    expect(goals(id)).toMatchObject([{ slug: 'tsh', level: 'abnormal', cause: { name: 'hypothyroidism' } }])
    const { line } = await reportOf(petri, id)
    expect(line('tsh')?.interpretation).toBe('abnormal')
    expect(line('hemoglobin-a1c')?.interpretation).toBe('abnormal')
  })

  it('is worse in a later part of a report if that is critical, also where its result was not there before', async () => {
    const id = await orderMarkers(petri, [FERRITIN, POTASSIUM])
    await report(petri, id, 'partial_results', { interpretation: 'abnormal', values: { ferritin: 60 } })
    expect((await reportOf(petri, id)).lines.map(({ slug }) => slug)).toEqual(['ferritin'])
    expect((await readOrder(petri, id)).interpretation).toBe('normal')
    expect(goals(id)).toMatchObject([{ slug: 'potassium', level: 'abnormal' }])
    await report(petri, id, 'completed', { interpretation: 'critical' })
    expect(goals(id)).toMatchObject([{ slug: 'potassium', level: 'critical' }])
    expect((await reportOf(petri, id)).line('potassium')?.interpretation).toBe('critical')
    expect((await readOrder(petri, id)).interpretation).toBe('critical')
  })

  it('stays abnormal where another result is the critical one of the later part', {
    tags: 'slow',
  }, async () => {
    const given = { 'abo-grouping': 'O', ferritin: 60, potassium: 4.2 }
    const infections = ['chlamydia-naa', 'gonorrhoeae-naa']
    let found = 0
    for (let nth = 0; nth < 8; nth++) {
      const id = await orderMarkers(petri, [BLOOD_GROUP, FERRITIN, POTASSIUM, INFECTIONS, GLUCOSE])
      await report(petri, id, 'partial_results', { interpretation: 'abnormal', values: given })
      const [{ slug } = { slug: '' }] = goals(id)
      if (!infections.includes(slug)) continue
      await report(petri, id, 'completed', { interpretation: 'critical' })
      const { line } = await reportOf(petri, id)
      expect(line(slug)).toMatchObject({ result: 'Positive', interpretation: 'abnormal' })
      expect(line('glucose')).toMatchObject({ interpretation: 'critical' })
      found++
    }
    expect(found).toBeGreaterThan(0)
  })
})

describe('a condition that a report shows', () => {
  it('is no finding if the patient is known to have it', async () => {
    const user = await createUser(petri, 'ada')
    const answer = await petri.put(`/_petri/users/${user}/persona`, { persona: 'type-2-diabetes' })
    expect(answer).toAnswer(200)
    const id = await completed([A1C], { interpretation: 'abnormal' }, user)
    expect(goals(id)).toMatchObject([{ cause: { name: 'type_2_diabetes' } }])
    expect(findings(user)).toEqual([])
  })

  it('is one more finding where another result is out of range without a cause', async () => {
    const user = await createUser(petri, 'ada')
    addFinding(petri.world(), user, {
      name: 'other_finding',
      since: '2025-12-01',
      until: null,
      degree: 1,
      sign: { slug: 'potassium', side: 'above', mild: 1.15, severe: 1.15 },
    })
    const id = await completed([INFECTIONS], { interpretation: 'abnormal' }, user)
    const [{ slug } = { slug: '' }] = goals(id)
    expect(findings(user).map(({ name, sign }) => [name, sign?.slug])).toEqual([
      ['other_finding', 'potassium'],
      ['other_finding', slug],
    ])
  })

  it('lasts as many days as conditions of its kind do', async () => {
    const [shortest, longest] = conditionTable.get('other_finding').days ?? []
    const lengths = new Set<number>()
    for (let nth = 0; nth < 4; nth++) {
      const user = await createUser(petri, `user ${nth}`)
      await completed([INFECTIONS], { interpretation: 'abnormal' }, user)
      for (const { since, until } of findings(user))
        lengths.add((Date.parse(until ?? '') - Date.parse(since)) / 86_400_000)
    }
    expect(lengths.size).toBe(4)
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(shortest ?? Number.NaN)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longest ?? Number.NaN)
  })

  it('is kept as well when the first part of the report was natural', async () => {
    const user = await createUser(petri, 'ada')
    const id = await orderMarkers(petri, [POTASSIUM, FERRITIN], { user })
    await report(petri, id, 'partial_results')
    await report(petri, id, 'completed', { interpretation: 'abnormal' })
    expect(findings(user)).toHaveLength(1)
  })
})

it('a report is as bad as the worst value that was given, in whichever of its parts', async () => {
  const id = await orderMarkers(petri, [POTASSIUM, FERRITIN])
  await report(petri, id, 'partial_results', { values: { potassium: 7.5 } })
  await report(petri, id, 'completed', { interpretation: 'abnormal' })
  expect((await readOrder(petri, id)).interpretation).toBe('critical')
})

describe('a value in words', () => {
  it('is current as it is printed', async () => {
    const id = await completed([INFECTIONS, POTASSIUM], { values: { potassium: 4.2 } })
    expect(Object.fromEntries(currentValues(petri.world(), storedOrder(petri, id)).values)).toEqual({
      'chlamydia-naa': 'Negative',
      'gonorrhoeae-naa': 'Negative',
      potassium: 4.2,
    })
  })
})
