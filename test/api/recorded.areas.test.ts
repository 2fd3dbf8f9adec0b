import { describe, expect, it } from 'vitest'
import { accountId } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'

// Places and sites beyond what test/contract/recordings/areas.yaml has.

const petri = await startTestWorld()

const VIA = 'appointment_scheduling_via_junction'
const ids = { sonora_quest: 25, labcorp: 6, bioreference: 13, quest: 4 }
type LabSlug = keyof typeof ids

const areaInfo = (query: string) => petri.read(`/v3/order/area/info?${query}`)
const pscInfo = (lab: LabSlug, zip: string, radius: string) =>
  petri.read(`/v3/order/psc/info?zip_code=${zip}&lab_id=${ids[lab]}&radius=${radius}`)

describe('the places recorded in the live sandbox', () => {
  it.each([
    ['02903', '100', 76],
    ['07030', '100', 405],
  ])('%s has Labcorp sites for an account that bills there', async (zip, radius, count) => {
    const account = await accountId(petri, 'Every Billing Labcorp')
    const { labcorp } = (await areaInfo(`zip_code=${zip}&radius=${radius}&lab_account_id=${account}`))
      .central_labs
    expect(labcorp.patient_service_centers.within_radius).toBe(count)
    expect(labcorp.supported_bill_types).toEqual([
      'client_bill',
      'commercial_insurance',
      'patient_bill_passthrough',
      'patient_bill',
    ])
  })

  it('can be limited to the laboratories of the contract only', async () => {
    expect(await petri.get('/v3/order/area/info?zip_code=20001&lab=genova')).toAnswer(422)
  })

  it.each(['850', '85004-', '85004-12', '85004 1234', 'x5004'])('refuse the ZIP code %s', async (zip) => {
    expect(await petri.get(`/v3/order/area/info?zip_code=${zip}`)).toRefuse(422, [
      { ctx: { pattern: '^\\d{5}(?:-?\\d{4})?$' } },
    ])
  })
})

const metadataKeys =
  'name state city zip_code first_line second_line phone_number fax_number hours website'.split(' ')
const text = expect.any(String)

/** The forms of sites by laboratory, each with a place that has some. */
const forms: Record<
  LabSlug,
  {
    zip: string
    name: RegExp
    code: RegExp
    second: string | null
    fax: unknown
    closed: string | null
    website: string
    capabilities: string[]
  }
> = {
  quest: {
    zip: '19107',
    name: /^Quest Diagnostics$/,
    code: /^[A-Z0-9]{2,4}$/,
    second: '',
    fax: text,
    closed: null,
    website: 'https://www.questdiagnostics.com/',
    capabilities: [VIA],
  },
  labcorp: {
    zip: '90012',
    name: /^(Labcorp|LABCORP|LABCORP AT WALGREENS)$/,
    code: /^[1-9]\d{2,4}$/,
    second: '',
    fax: text,
    closed: 'Closed',
    website: 'https://www.labcorp.com/',
    capabilities: [],
  },
  bioreference: {
    zip: '11050',
    name: /^[A-Z .]+$/,
    code: /^[A-Z][A-Z0-9]{4}$/,
    second: null,
    fax: null,
    closed: null,
    website: 'https://www.bioreference.com/',
    capabilities: [],
  },
  sonora_quest: {
    zip: '85004',
    name: /^Sonora Quest Laboratories$/,
    code: /^[A-Z0-9]{2,4}$/,
    second: '',
    fax: '602-555-0150',
    closed: null,
    website: 'https://www.sonoraquest.com/',
    capabilities: [VIA],
  },
}

interface Site {
  readonly metadata: Record<string, unknown> & {
    readonly name: string
    readonly state: string
    readonly city: string
  }
  readonly distance: number
  readonly site_code: string
  readonly supported_bill_types: string[]
  readonly location: object
  readonly capabilities: string[]
}

describe('a patient service center', () => {
  it.each(Object.entries(forms))('of %s has the recorded form', async (lab, form) => {
    const body = await pscInfo(lab as LabSlug, form.zip, '100')
    expect(Object.keys(body)).toEqual(['lab_id', 'slug', 'patient_service_centers'])
    const sites: Site[] = body.patient_service_centers
    expect(sites).toHaveLength(30)
    const hours = sites.map(({ metadata }) => metadata.hours as Record<string, string | null>)
    for (const site of sites) {
      expect(Object.keys(site)).toEqual([
        'metadata',
        'distance',
        'site_code',
        'supported_bill_types',
        'location',
        'capabilities',
      ])
      expect(Object.keys(site.metadata)).toEqual(metadataKeys)
      expect(site.metadata).toMatchObject({ fax_number: form.fax, website: form.website, phone_number: text })
      expect(site.metadata.name).toMatch(form.name)
      if (lab === 'bioreference') expect(site.metadata.name).toBe(site.metadata.city.toUpperCase())
      expect(site.site_code).toMatch(form.code)
      expect(Object.keys(site.location)).toEqual(['lng', 'lat'])
      expect(site.capabilities).toEqual(form.capabilities)
      expect(Number.isInteger(site.distance)).toBe(true)
    }
    expect(sites.map(({ metadata }) => metadata.second_line)).toContain(form.second)
    for (const days of hours) {
      expect(Object.keys(days)).toEqual(['Fri', 'Mon', 'Sat', 'Sun', 'Thu', 'Tue', 'Wed'])
      expect(days.Sun).toBe(form.closed)
      for (const day of Object.values(days))
        if (day !== form.closed) expect(day).toMatch(/^\d+:\d\d[AP]M ?- ?/)
    }
    const all = hours.flatMap((days) => Object.values(days)).filter((day) => day !== form.closed)
    expect(all.some((day) => day?.includes(';'))).toBe(lab !== 'bioreference')
    expect(all.some((day) => day && !day.includes(' '))).toBe(lab === 'labcorp')
  })

  it('of Quest in Arizona is one of Sonora Quest, under the same code', async () => {
    const [quest, sonoraQuest]: Site[][] = await Promise.all(
      (['quest', 'sonora_quest'] as const).map(
        async (lab) => (await pscInfo(lab, '85004', '100')).patient_service_centers,
      ),
    )
    const codesOf = (sites: Site[] = []) => sites.map(({ site_code }) => site_code)
    expect(codesOf(quest)).toEqual(codesOf(sonoraQuest))
    for (const { metadata } of quest ?? []) {
      expect(metadata).toMatchObject({
        name: 'Sonora Quest Laboratories',
        website: 'https://www.questdiagnostics.com/',
      })
    }
  })

  it('of a partner of Quest has the name of the partner, and cannot be booked', async () => {
    const { patient_service_centers } = await pscInfo('quest', '54977', '100')
    expect(patient_service_centers).toHaveLength(2)
    for (const { metadata, capabilities } of patient_service_centers) {
      expect(metadata.name).not.toBe('Quest Diagnostics')
      expect(capabilities).toEqual([])
    }
  })
})

describe('the list of patient service centers', () => {
  const statesOf = (sites: Site[]) => new Set(sites.map(({ metadata }) => metadata.state))

  it('of Labcorp around New York City is one site in Connecticut', async () => {
    const { patient_service_centers } = await pscInfo('labcorp', '11050', '100')
    expect(patient_service_centers).toMatchObject([
      { metadata: { state: 'CT' }, supported_bill_types: ['client_bill'] },
    ])
  })

  it('of Quest around New York City is billed to insurers', async () => {
    const sites: Site[] = (await pscInfo('quest', '11050', '25')).patient_service_centers
    const inNewYork = sites.filter(({ metadata }) => metadata.state === 'NY')
    expect(inNewYork.length).toBeGreaterThan(10)
    for (const { supported_bill_types } of inNewYork)
      expect(supported_bill_types).toEqual(['commercial_insurance'])
  })

  it('of BioReference around Vermont has sites in New York, which area/info leaves out', async () => {
    const sites: Site[] = (await pscInfo('bioreference', '05401', '100')).patient_service_centers
    expect(sites.length).toBeGreaterThan(0)
    expect(statesOf(sites)).toEqual(new Set(['NY']))
    expect((await areaInfo('zip_code=05401&radius=100')).central_labs).not.toHaveProperty('bioreference')
  })

  it('is empty where there is none, in 64 bytes', async () => {
    const response = await petri.get('/v3/order/psc/info?zip_code=85004&lab_id=13')
    expect(response).toAnswer(200)
    expect(JSON.stringify(response.body)).toBe(
      '{"lab_id":13,"slug":"bioreference","patient_service_centers":[]}',
    )
    expect(JSON.stringify(response.body)).toHaveLength(64)
  })

  it('is the same in every world', async () => {
    const { api_key } = (await petri.post('/_petri/worlds', { seed: '7' })).body
    for (const lab of Object.values(ids)) {
      const path = `/v3/order/psc/info?zip_code=19107&lab_id=${lab}&radius=50`
      const other = await petri.get(path, { 'x-service-api-key': api_key })
      expect(other.body).toEqual(await petri.read(path))
    }
  })

  it('is sorted by distance, has thirty at most, and none at the radius itself', async () => {
    for (const [zip, radius] of [
      ['19107', '10'],
      ['90012', '20'],
      ['60601', '25'],
      ['85234', '100'],
    ] as const) {
      const sites: Site[] = (await pscInfo('quest', zip, radius)).patient_service_centers
      const distances = sites.map(({ distance }) => distance)
      expect(distances).toEqual([...distances].sort((a, b) => a - b))
      expect(distances.length).toBeLessThanOrEqual(30)
      expect(Math.max(0, ...distances)).toBeLessThan(Number(radius))
    }
  })
})
