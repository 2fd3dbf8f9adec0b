import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { field } from '../support/field.ts'
import { startTestPetri } from '../support/petri.ts'
import { seedFolder } from '../support/seeds.ts'

const catalogue = createCatalogue()
const markers = [...catalogue.markers().values()]
const analytes = [...catalogue.analytes().values()]

const twice = (values: readonly unknown[]) => values.filter((value, at) => values.indexOf(value) !== at)

/** The digit that ends a LOINC code, by the mod 10 rule. */
function loincCheckDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return (10 - (sum % 10)) % 10
}

const rangesOf = ({ range, male, female }: AnalyteSeed) =>
  [range, male, female].filter((one) => one !== undefined)

const row = (file: string, isIt: (row: Record<string, unknown>) => boolean) =>
  (JSON.parse(readFileSync(join(packageFolder('seeds'), file), 'utf8')) as Record<string, unknown>[]).find(
    isIt,
  )

describe('the bundled seeds', () => {
  it('hold enough to work with', () => {
    expect(catalogue.labs().size).toBe(20)
    expect(analytes.length).toBeGreaterThan(300)
    expect(markers.length).toBeGreaterThanOrEqual(1400)
    const asking = markers.filter(({ aoe }) => (aoe?.questions.length ?? 0) > 0)
    expect(asking.length).toBeGreaterThanOrEqual(40)
    expect(catalogue.cancerSignalOrigins().size).toBe(23)
  })

  it('give every id and every order code once', () => {
    const results = new Map(
      markers.flatMap((marker) =>
        marker.results.map((result) => [`${result.lab_id}/${result.analyte.slug}`, result]),
      ),
    )
    const resultIds = [...results.values()].map(field('id'))
    expect(twice(resultIds)).toEqual([])
    expect(twice([...catalogue.labs().values()].map(field('id')))).toEqual([])
    expect(twice(markers.map(({ lab, provider_id }) => `${lab.slug}/${provider_id}`))).toEqual([])
    expect(twice([...results.values()].map((result) => `${result.lab_id}/${result.provider_id}`))).toEqual([])
    expect(markers.filter(({ id }) => resultIds.includes(id))).toEqual([])
    const loincs = analytes.flatMap(({ loinc }) => loinc ?? [])
    // Men and women share the score of IGF-1.
    expect(twice(loincs.map(field('id')))).toEqual([735613])
    expect(twice(loincs.map(field('code')))).toEqual(['73561-3'])
    expect(twice(loincs.map(field('slug')))).toEqual(['insulin-like-growth-factor-i-z-score'])
  })

  it('name LOINC codes with the right check digit', () => {
    for (const { loinc } of analytes) {
      const [digits = '', check] = loinc?.code.split('-') ?? ['', '0']
      expect(Number(check), loinc?.code).toBe(loincCheckDigit(digits))
    }
  })

  it('end LOINC names with the property that the unit measures, and those of qualities with their scale', () => {
    const properties: readonly (readonly [unit: RegExp, end: RegExp])[] = [
      [/^([mnpu]?g)\/(dL|mL|L)( FEU)?$/, / \[Mass\/Vol\]$/],
      [/^[mnu]mol\//, / \[Moles\/Vol\]$/],
      [/^I?U\/L$/, / \[Catalytic activity\/Vol\]$/],
      [/^([mu]?I?U\/mL|AU\/mL|AI|index|U)$/, / \[Units\/Vol\]$/],
      [/^(copies\/mL|x10E[36]\/uL)$/, / \[#\/Vol\]$/],
      [/^%/, /\/(normal|total|Total|100 [RW]BC Auto \(Bld\))$| \[.*(fraction|Ratio)\]$/],
      [/^kU\/L$/, / IgE Qn$/],
    ]
    for (const { kind, unit, loinc } of analytes) {
      const [, end] = properties.find(([each]) => each.test(unit ?? '')) ?? []
      if (loinc && end) expect(loinc.name).toMatch(end)
      if (loinc) expect(loinc.name).not.toMatch(/\[Presence\]|\[Arbitrary conc\]|, |\. /)
      if (loinc && kind === 'qualitative' && !loinc.unit)
        expect(loinc.name).toMatch(/ (Ql|Nom)( \(\w+\))?$|^(ABO|Color|Appearance|Service|Acetylcholine)/)
    }
  })

  it('give every number a range to be made from, and every quality its two words', () => {
    for (const analyte of analytes) {
      const { slug, kind, typical, normal, abnormal } = analyte
      const closed = rangesOf(analyte).filter(({ low, high }) => low !== null && high !== null)
      if (kind === 'numeric') expect(typical ?? closed[0], slug).toBeDefined()
      else expect([normal, abnormal], slug).toEqual([expect.any(String), expect.any(String)])
    }
  })

  it('keep alarms outside of what is usual, and what is typical inside', () => {
    for (const { critical, typical, slug, ...analyte } of analytes) {
      const bounds = rangesOf({ slug, ...analyte } as AnalyteSeed)
      if (typical) bounds.push({ ...typical, text: '' })
      for (const { low, high } of bounds) {
        if (low !== null && high !== null) expect(low, slug).toBeLessThan(high)
        if (critical?.low != null && low !== null) expect(critical.low, slug).toBeLessThan(low)
        if (critical?.high != null && high !== null) expect(critical.high, slug).toBeGreaterThan(high)
        if (typical && low !== null) expect(typical.low, slug).toBeGreaterThanOrEqual(low)
        if (typical && high !== null) expect(typical.high, slug).toBeLessThanOrEqual(high)
      }
    }
  })

  it('keep what the live service publishes', () => {
    const published = {
      1975: '303756',
      2075: '322000',
      195: '116004',
      173: '007625',
      6859: '17180',
      8213: '8352',
    }
    for (const [id, code] of Object.entries(published))
      expect(catalogue.markers().get(Number(id))?.provider_id).toBe(code)
    expect(catalogue.findMarker('labcorp', '303756')?.results.map(field('id')).sort()).toEqual([
      1109, 1110, 1112, 242764, 242780, 242790,
    ])
    expect(catalogue.markers().get(173)?.aoe?.questions.map(field('code'))).toEqual([
      'BLPURP',
      'EDDATE',
      'COLVOL',
    ])
  })

  it('take from a laboratory only the ways and samples it has', () => {
    for (const labTest of catalogue.labTests().values()) {
      const lab = catalogue.labs().get(labTest.lab)
      expect(lab?.collection_methods).toContain(labTest.method)
      expect(lab?.sample_types).toContain(labTest.sample_type)
    }
    const own = [...catalogue.labTests().values()].filter(({ id }) => id === undefined)
    expect(own.map(field('method')).sort()).toEqual([
      'at_home_phlebotomy',
      'on_site_collection',
      'testkit',
      'walk_in_test',
    ])
  })
})

describe('a folder of seeds', () => {
  it('may give lab tests and lab accounts their ids, and then a slug without the prefix of the team', async () => {
    const id = '0cb9f34f-c3df-4a13-8ca1-19429a82611b'
    const seeds = seedFolder({
      'lab-tests.json': {
        complete: true,
        rows: [{ ...row('lab-tests.json', ({ slug }) => slug === 'lipids-panel'), id, markers: [] }],
      },
      'lab-accounts.json': {
        complete: true,
        rows: [{ ...row('lab-accounts.json', ({ lab }) => lab === 'quest'), id }],
      },
    })
    const petri = await startTestPetri({ seeds: [seeds] })
    expect(await petri.read('/v3/lab_tests')).toEqual([
      expect.objectContaining({ id, slug: 'lipids-panel', markers: null, common_tat_days: null }),
    ])
    expect((await petri.read('/v3/lab_test/lab_account')).data.map((one: { id: string }) => one.id)).toEqual([
      id,
    ])
  })

  it('may say what is answered about a ZIP code', async () => {
    const area = {
      zip_code: '85004',
      radius: '25',
      phlebotomy: { is_served: false, providers: [] },
      central_labs: {
        quest: {
          patient_service_centers: {
            appointment_with_vital: true,
            within_radius: 77,
            radius: '25',
            capabilities: ['appointment_scheduling_via_junction'],
          },
          supported_bill_types: ['client_bill'],
          lab_id: 4,
        },
      },
    }
    const site = { site_code: 'A8W', distance: 3, supported_bill_types: ['commercial_insurance'] }
    const sites = [site, { ...site, site_code: 'BKK', distance: 40 }]
    const details = row('psc-sites.json', ({ lab }) => lab === 'quest')
    const files = {
      'area-info.json': [area],
      'psc-info.json': [{ zip_code: '85004', lab: 'quest', radius: '100', sites }],
      'psc-sites.json': sites.map(({ site_code }) => ({ ...details, site_code })),
    }
    const petri = await startTestPetri({ seeds: [seedFolder(files)] })
    const { radius: _, ...answer } = area
    expect(await petri.read('/v3/order/area/info?zip_code=85004')).toEqual(answer)
    expect((await petri.read('/v3/order/area/info?zip_code=85004&lab=labcorp')).central_labs).toEqual({})
    expect((await petri.read('/v3/order/area/info?zip_code=85004&radius=10')).central_labs).not.toEqual(
      answer.central_labs,
    )
    const codesWithin = async (radius: string, zip = '85004') => {
      const body = await petri.read(`/v3/order/psc/info?zip_code=${zip}&lab_id=4&radius=${radius}`)
      return body.patient_service_centers.map((one: { site_code: string }) => one.site_code)
    }
    expect(await codesWithin('25')).toEqual(['A8W'])
    expect(await codesWithin('50')).toEqual(['A8W', 'BKK'])
    expect((await codesWithin('50', '85001')).length).toBeGreaterThan(2)
    const [first] = (await petri.read('/v3/order/psc/info?zip_code=85004&lab_id=4')).patient_service_centers
    expect(first).toMatchObject(site)
    expect(() => createCatalogue([seedFolder({ 'psc-info.json': files['psc-info.json'] })])).toThrow(
      /psc-info\.json: 85004: quest has no site A8W/,
    )
  })

  it('may list providers and payors as a team has them', async () => {
    const oura = { slug: 'oura', name: 'Oura Ring', description: 'A ring.', logo: null, auth_type: 'oauth' }
    const petri = await startTestPetri({
      seeds: [
        seedFolder({
          'providers.json': { complete: true, rows: [{ ...oura, resources: ['sleep'] }] },
          'payors.json': [{ ...row('payors.json', () => true), payor_code: 'OURS', source: 'team' }],
        }),
      ],
    })
    expect(await petri.read('/v2/providers')).toEqual([{ ...oura, supported_resources: ['sleep'] }])
    expect(await petri.read('/v2/providers?source_type=lab')).toEqual([])
    expect(await petri.read('/v3/insurance/search/payor')).toContainEqual(
      expect.objectContaining({ payor_code: 'OURS', source: 'team' }),
    )
  })
})
