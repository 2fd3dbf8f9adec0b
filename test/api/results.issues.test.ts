import { describe, expect, it } from 'vitest'
import { addFinding } from '../../src/resources/personas/service.ts'
import { goalsOf } from '../../src/resources/results/service.ts'
import { field } from '../support/field.ts'
import {
  address,
  advance,
  createUser,
  followScenario,
  readDetails,
  readOrder,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  LIPIDS,
  METABOLIC,
  orderMarkers,
  POTASSIUM,
  report,
  reportOf,
  storedOrder,
} from '../support/quest-reports.ts'
import { uploadScenario } from '../support/scenarios.ts'

/** TSH, whose result out of range has free T4 measured, and free T4 itself. */
const TSH_WITH_REFLEX = '36127'
const FREE_T4 = '866'

const petri = forEachTest()

const completed = (codes: readonly (string | undefined)[], results: object = {}, user?: string) =>
  completedOrder(petri, codes, { results, user })
const slugsOf = async (id: string) => (await reportOf(petri, id)).lines.map(field('slug'))

describe('slow tests in a scenario with natural results', () => {
  const BLOOD_COUNT = '6399'
  const codeOf = (slug: string) => {
    const markers = [...petri.world().services.catalogue.markers().values()]
    const found = markers.find(({ lab, analyte }) => lab.slug === 'quest' && analyte === slug)
    return found?.provider_id ?? undefined
  }
  const place = async (slugs: readonly string[], scenario: string) => {
    const id = await orderMarkers(petri, [BLOOD_COUNT, ...slugs.map(codeOf)])
    await followScenario(petri, id, scenario)
    return id
  }
  const plannedOf = async (id: string): Promise<[string | undefined, string][]> =>
    (await readDetails(petri, id)).planned.map(({ status, due }: { status: string; due: string }) => [
      status.split('.').at(-1),
      due,
    ])

  it('come after the others by the difference of their turnarounds, in a second part', async () => {
    const id = await place(['blood-culture', 'tsh'], 'walk-in-natural-result')
    // The blood count takes 4 hours, TSH 10, and the culture 96.
    const planned = [
      ['requisition_created', '2026-01-05T10:00:00.000Z'],
      ['partial_results', '2026-01-08T10:00:00.000Z'],
      ['completed', '2026-01-12T00:00:00.000Z'],
    ]
    expect(await plannedOf(id)).toEqual(planned)
    await advance(petri, '73h')
    expect(await plannedOf(id)).toEqual(planned.slice(2))
    const partial = await reportOf(petri, id)
    expect(partial.body.metadata.status).toBe('partial')
    expect(partial.line('tsh')).toBeDefined()
    expect(partial.line('blood-culture')).toBeUndefined()
    await advance(petri, '86h')
    const final = await reportOf(petri, id)
    const isCulture = ({ slug }: { slug: string }) => slug === 'blood-culture'
    expect(final.lines.filter((line) => !isCulture(line))).toEqual(partial.lines)
    expect(Date.parse(final.lines.find(isCulture)?.timestamp ?? '')).toBeGreaterThan(
      Date.parse('2026-01-08T10:00:00Z'),
    )
    expect(await plannedOf(id)).toEqual([])
  })

  it('come also when the first part is not as critical as was asked', async () => {
    const id = await orderMarkers(petri, [FERRITIN, codeOf('blood-culture')])
    await uploadScenario(petri, 'mine', 'walk_in_test', [
      { after: '1h', status: 'requisition_created' },
      { after: '1h', status: 'completed', in_parts: true, results: { interpretation: 'critical' } },
    ])
    await followScenario(petri, id, 'mine')
    await advance(petri, '30d')
    expect((await readOrder(petri, id)).last_event.status).toBe('completed.walk_in_test.completed')
  })

  it.each([
    // The culture of urine is 44 hours later than the blood count.
    [['urine-culture'], 'walk-in-natural-result'],
    [[], 'walk-in-natural-result'],
    [['blood-culture'], 'walk-in-happy-path'],
  ])('are in one part with %j in %s', async (slugs, scenario) => {
    const id = await place(slugs, scenario)
    expect((await plannedOf(id)).map(([low]) => low)).toEqual(['requisition_created', 'completed'])
  })
})

describe('a reflex test', () => {
  it('follows a result out of range, and comes after all others', async () => {
    const codes = [TSH_WITH_REFLEX, POTASSIUM]
    const others = { potassium: 4.2 }
    expect(await slugsOf(await completed(codes, { values: { tsh: 2, ...others } }))).toEqual([
      'potassium',
      'tsh',
    ])
    for (const tsh of [9, 0.01]) {
      const id = await completed(codes, { values: { tsh, ...others } })
      expect(await slugsOf(id)).toEqual(['potassium', 'tsh', 't4-free'])
    }
    expect(await slugsOf(await completed([TSH_WITH_REFLEX], { interpretation: 'critical' }))).toEqual([
      'tsh',
      't4-free',
    ])
    const high = await completed(codes, { values: { tsh: 2, potassium: 6 } })
    expect(await slugsOf(high)).toEqual(['potassium', 'tsh'])
  })

  it('names its own order code, and is not done where the result was ordered itself', async () => {
    const id = await completed([TSH_WITH_REFLEX], { values: { tsh: 9 } })
    const { line } = await reportOf(petri, id)
    expect(line('t4-free')).toMatchObject({ source_markers: [{ provider_id: '866-R' }] })
    const both = await completed([TSH_WITH_REFLEX, FREE_T4], { values: { tsh: 9 } })
    expect(await slugsOf(both)).toEqual(['t4-free', 'tsh'])
    expect((await reportOf(petri, both)).line('t4-free')).toMatchObject({
      source_markers: [{ provider_id: '866' }],
    })
  })

  it('stays when the rest of the report comes', async () => {
    const id = await orderMarkers(petri, [TSH_WITH_REFLEX, POTASSIUM])
    await report(petri, id, 'partial_results', { values: { tsh: 9 } })
    const first = await reportOf(petri, id)
    expect(first.lines.map(field('slug'))).toEqual(['tsh', 't4-free'])
    await advance(petri, '1d')
    await report(petri, id, 'completed', { values: { potassium: 4.2 } })
    const { lines, line } = await reportOf(petri, id)
    expect(lines.map(field('slug'))).toEqual(['potassium', 'tsh', 't4-free'])
    for (const before of first.lines) expect(line(before.slug)).toEqual(before)
  })
})

describe('result types', () => {
  it.each([
    [
      ['range', 'numeric'],
      ['numeric', 'range', 'numeric'],
    ],
    [
      ['comment', 'range', 'numeric'],
      ['numeric', 'comment', 'range'],
    ],
    [['comment'], ['comment', 'comment', 'comment']],
    [['coded_value'], ['coded_value', 'coded_value', 'coded_value']],
    [[], ['numeric', 'numeric', 'numeric']],
  ])('%j are used in turn, numbers first', async (types, found) => {
    const id = await completed([FERRITIN, POTASSIUM, '899'], { types, interpretation: 'normal' })
    expect((await reportOf(petri, id)).lines.map(field('type'))).toEqual(found)
  })

  it('do not concern what was given', async () => {
    const id = await completed([FERRITIN, POTASSIUM], { types: ['comment'], values: { potassium: 4.2 } })
    const { lines } = await reportOf(petri, id)
    expect(lines.map(field('type'))).toEqual(['comment', 'numeric'])
  })
})

describe('a report in parts', () => {
  it('is for a patient of the age of its first part', async () => {
    await setFeatures(petri, { minor_ordering: true })
    const medical_proxy = { first_name: 'Bob', last_name: 'Example', phone_number: '+16025550124', address }
    const ofChild = { dob: '2008-01-07', medical_proxy }
    const egfrOf = async (id: string) => (await reportOf(petri, id)).line('egfr')?.result
    const whole = await orderMarkers(petri, [METABOLIC], { details: ofChild })
    const parts = await orderMarkers(petri, [METABOLIC], { details: ofChild })
    await report(petri, parts, 'partial_results')
    await advance(petri, '3d')
    for (const id of [whole, parts]) await report(petri, id, 'completed')
    expect(await egfrOf(whole)).toMatch(/^\d+$/)
    expect(await egfrOf(parts)).toBe('Not calculated: patient is under 18 years')
    expect((await reportOf(petri, parts)).body.metadata.age).toBe('18')
  })

  it('has another result out of range where a later part is worse', async () => {
    const id = await orderMarkers(petri, [METABOLIC, LIPIDS, FERRITIN])
    const levels = () => goalsOf(petri.world(), storedOrder(petri, id)).map(field('level'))
    expect(levels()).toEqual([])
    await report(petri, id, 'partial_results', { interpretation: 'abnormal' })
    expect(levels()).toEqual(['abnormal'])
    await report(petri, id, 'completed', { interpretation: 'critical' })
    expect(levels()).toEqual(['abnormal', 'critical'])
    const words = (await reportOf(petri, id)).lines.map(field('interpretation'))
    expect(words).toEqual(expect.arrayContaining(['abnormal', 'critical']))
  })
})

describe('what is known of a patient', () => {
  const high: Parameters<typeof addFinding>[2] = {
    name: 'other_finding',
    since: '2025-01-01',
    until: null,
    degree: 1,
    sign: { slug: 'potassium', side: 'above', mild: 1.15, severe: 1.15 },
  }
  const potassiumOf = async (id: string) => (await reportOf(petri, id)).line('potassium')?.interpretation

  it('shows in results that nobody judged, and in no normal ones', async () => {
    const user = await createUser(petri, 'ada')
    addFinding(petri.world(), user, high)
    const natural = await completed([POTASSIUM], {}, user)
    expect(await potassiumOf(natural)).toBe('abnormal')
    expect((await readOrder(petri, natural)).interpretation).toBe('abnormal')
    expect(await potassiumOf(await completed([POTASSIUM], { interpretation: 'normal' }, user))).toBe('normal')
    const unknown = await completed([POTASSIUM], { interpretation: 'unknown' }, user)
    expect((await reportOf(petri, unknown)).line('potassium')).toMatchObject({
      interpretation: 'unknown',
      is_above_max_range: true,
    })
  })

  it('shows in results that are to be abnormal, and nothing else is found', async () => {
    const user = await createUser(petri, 'ada')
    addFinding(petri.world(), user, high)
    const id = await completed([POTASSIUM, FERRITIN], { interpretation: 'abnormal' }, user)
    expect(goalsOf(petri.world(), storedOrder(petri, id))).toMatchObject([
      { slug: 'potassium', side: 'above' },
    ])
    expect(await potassiumOf(id)).toBe('abnormal')
  })

  it('changes no report of before', async () => {
    const user = await createUser(petri, 'ada')
    const id = await completed([POTASSIUM, FERRITIN], {}, user)
    const before = (await reportOf(petri, id)).body
    addFinding(petri.world(), user, {
      ...high,
      sign: { ...high.sign, slug: 'potassium', side: 'below', mild: 0.7, severe: 0.7 },
    })
    expect((await reportOf(petri, id)).body).toEqual(before)
  })
})
