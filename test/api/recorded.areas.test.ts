import { describe, expect, it } from 'vitest'
import { accountId } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const petri = await startTestPetri()

const VIA = 'appointment_scheduling_via_junction'
const WITH_LAB = 'appointment_scheduling_with_lab'
const ids = { sonora_quest: 25, labcorp: 6, bioreference: 13, quest: 4 }
type LabSlug = keyof typeof ids

/** Sites of Labcorp and Quest within 100 miles. */
const within100 = `
  02108 70/127, 02903 76/159, 03101 66/97, 04101 22/27, 05401 2/3, 06103 200/248, 07030 405/297, 11050 -/293, 17316 236/151,
  19107 428/254, 19801 390/201, 20001 176/108, 21201 279/162, 23219 65/42, 25301 16/7, 28202 50/16, 29201 34/15, 30303 40/48,
  33130 61/62, 35203 20/11, 37219 16/6, 39201 8/3, 40202 27/11, 43215 32/64, 46204 19/28, 47630 13/7, 48226 12/48, 50309 1/1,
  53202 25/37, 54977 2/2, 55415 2/3, 57104 0/0, 58102 0/0, 59101 1/0, 60601 35/43, 64106 8/20, 67202 3/5, 68102 1/2,
  70112 31/17, 72201 2/9, 73102 6/57, 75034 50/61, 77002 39/65, 80202 32/24, 82001 12/11, 83702 3/1, 84111 7/4, 85004 26/52,
  85234 28/55, 87102 1/7, 89101 14/24, 90012 163/177, 96101 1/1, 96813 0/0, 97204 28/10, 98104 52/23, 99501 2/2`

/** The same within 25 miles. */
const within25 = `
  02108 15/25, 02903 -/13, 03101 7/14, 04101 0/3, 05401 1/1, 25301 4/0, 28202 16/6, 29201 4/2, 30303 19/19, 33130 28/26,
  35203 7/4, 37219 7/3, 39201 6/2, 40202 7/3, 43215 10/34, 46204 6/20, 47630 2/0, 48226 4/7, 68102 0/1, 70112 6/8, 72201 2/7,
  75034 22/25, 77002 29/45, 80202 23/17, 90012 60/70, 96101 0/0, 96813 0/0, 97204 21/7, 98104 28/8, 99501 1/1`

interface Row {
  readonly zip: string
  readonly radius: string
  /** Undefined where it was not recorded. */
  readonly labcorp: number | undefined
  readonly quest: number
}

const read = (radius: string, table: string): Row[] =>
  table
    .trim()
    .split(/,\s*/)
    .map((entry) => {
      const [, zip = '', labcorp, quest] = /^(\d{5}) (\d+|-)\/(\d+)$/.exec(entry) ?? []
      return { zip, radius, labcorp: labcorp === '-' ? undefined : Number(labcorp), quest: Number(quest) }
    })

const rows = [...read('100', within100), ...read('25', within25)]

/** Places whose state is not one of the 47 where everything is billed to the customer. */
const stateOf: Readonly<Record<string, 'NJ' | 'NY' | 'RI' | 'DC'>> = {
  '07030': 'NJ',
  '11050': 'NY',
  '02903': 'RI',
  '20001': 'DC',
}

/** The billing types by laboratory and place; a laboratory without any is left out. */
const billing: Readonly<Record<string, Partial<Record<LabSlug, readonly string[]>>>> = {
  most: {
    sonora_quest: ['client_bill'],
    labcorp: ['client_bill'],
    quest: ['client_bill', 'commercial_insurance'],
  },
  NJ: { bioreference: ['patient_bill_passthrough'], quest: ['commercial_insurance'] },
  NY: { bioreference: ['patient_bill_passthrough'], quest: ['commercial_insurance'] },
  RI: { quest: ['commercial_insurance'] },
  DC: {
    sonora_quest: ['client_bill'],
    labcorp: ['client_bill'],
    bioreference: ['patient_bill_passthrough'],
    quest: ['client_bill', 'commercial_insurance'],
  },
}

const served = ['20001', '30303', '55415', '85004', '99501']
/** Sites of Sonora Quest, and those of BioReference, within 100 miles. */
const sonora: Readonly<Record<string, number>> = { '85004': 52, '85234': 55, '89101': 3 }
const bioreference: Readonly<Record<string, number>> = { '07030': 71, '11050': 71, '20001': 0 }
/** Where the sites of Quest are of a partner and cannot be booked. */
const notBookable = ['05401 25', '54977 100']

function capabilitiesOf(lab: LabSlug, { zip, radius }: Row, count: number): string[] {
  const isBookable = lab === 'quest' || lab === 'sonora_quest'
  if (!isBookable || count === 0 || notBookable.includes(`${zip} ${radius}`)) return []
  return zip === '85234' ? [VIA, WITH_LAB] : [VIA]
}

const areaInfo = async (query: string) => (await petri.get(`/v3/order/area/info?${query}`)).body
const pscInfo = async (lab: LabSlug, zip: string, radius: string) =>
  (await petri.get(`/v3/order/psc/info?zip_code=${zip}&lab_id=${ids[lab]}&radius=${radius}`)).body

describe('the places recorded in the live sandbox', () => {
  it.each(rows.map((row) => [row.zip, row.radius, row] as const))(
    '%s within %s miles',
    async (_, __, row) => {
      const { zip, radius } = row
      const body = await areaInfo(`zip_code=${zip}&radius=${radius}`)
      const counts: Record<LabSlug, number | undefined> = {
        sonora_quest:
          radius === '100'
            ? (sonora[zip] ?? 0)
            : body.central_labs.sonora_quest?.patient_service_centers.within_radius,
        labcorp: row.labcorp,
        bioreference: bioreference[zip],
        quest: row.quest,
      }
      const bills = billing[stateOf[zip] ?? 'most'] ?? {}
      expect(Object.keys(body)).toEqual(['zip_code', 'phlebotomy', 'central_labs'])
      expect(Object.keys(body.central_labs)).toEqual(Object.keys(bills))
      for (const lab of Object.keys(bills) as LabSlug[]) {
        const count = counts[lab] ?? -1
        expect(JSON.stringify(body.central_labs[lab]), lab).toBe(
          JSON.stringify({
            patient_service_centers: {
              appointment_with_vital: lab === 'quest' || lab === 'sonora_quest',
              within_radius: count,
              radius,
              capabilities: capabilitiesOf(lab, row, count),
            },
            supported_bill_types: bills[lab],
            lab_id: ids[lab],
          }),
        )
      }
      const isServed = served.includes(zip)
      expect(body.phlebotomy).toEqual({
        is_served: isServed,
        providers: isServed ? [{ name: 'getlabs', service_types: ['appointment-ready'] }] : [],
      })
    },
  )

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

  it('can be limited to some laboratories', async () => {
    const labsOf = async (query: string) =>
      Object.keys((await areaInfo(`zip_code=20001&${query}`)).central_labs)
    expect(await labsOf('lab=quest')).toEqual(['quest'])
    expect(await labsOf('labs=quest&labs=bioreference')).toEqual(['bioreference', 'quest'])
    expect((await petri.get('/v3/order/area/info?zip_code=20001&lab=genova')).status).toBe(422)
  })

  it.each(['85004-1234', '850041234'])('take the ZIP code %s for its first five digits', async (zip) => {
    expect(await areaInfo(`zip_code=${zip}`)).toEqual(await areaInfo('zip_code=85004'))
    expect((await petri.get(`/v3/order/psc/info?zip_code=${zip}&lab_id=4`)).status).toBe(422)
  })

  it.each(['850', '85004-', '85004-12', '85004 1234', 'x5004'])('refuse the ZIP code %s', async (zip) => {
    const { status, body } = await petri.get(`/v3/order/area/info?zip_code=${zip}`)
    expect([status, body.detail[0].ctx]).toEqual([422, { pattern: '^\\d{5}(?:-?\\d{4})?$' }])
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
    expect(response).toMatchObject({ status: 200 })
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
      expect(other.body).toEqual((await petri.get(path)).body)
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
