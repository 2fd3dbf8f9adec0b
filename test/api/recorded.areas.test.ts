import { describe, expect, it } from 'vitest'
import { startTestPetri } from '../support/petri.ts'

const petri = await startTestPetri()

/** What the live sandbox offers around a place: sites by laboratory, `-` where it is not listed. */
const recorded = `
  zip   state radius home labcorp quest bioreference sonora client_bill
  02108 MA    100    no   70      127   -            yes    yes
  02903 RI    100    no   76      159   -            -      no
  03101 NH    100    no   66      97    -            yes    yes
  04101 ME    100    no   22      27    -            yes    yes
  05401 VT    100    no   2       3     -            yes    yes
  07030 NJ    100    no   405     297   71           -      no
  17316 PA    100    no   236     151   -            yes    yes
  19107 PA    100    no   428     254   -            yes    yes
  19801 DE    100    no   390     201   -            yes    yes
  20001 DC    100    yes  176     108   0            yes    yes
  21201 MD    100    no   279     162   -            yes    yes
  23219 VA    100    no   65      42    -            yes    yes
  68102 NE    25     no   0       1     -            yes    yes
  70112 LA    25     no   6       8     -            yes    yes
  72201 AR    25     no   2       7     -            yes    yes
  75034 TX    25     no   22      25    -            yes    yes
  77002 TX    25     no   29      45    -            yes    yes
  80202 CO    25     no   23      17    -            yes    yes
  96101 CA    25     no   0       0     -            yes    yes
  96813 HI    25     no   0       0     -            yes    yes
  97204 OR    25     no   21      7     -            yes    yes
  99501 AK    25     yes  1       1     -            yes    yes`

const rows = recorded
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/) as [string, string, string, ...string[]])

const billsOf = (client: string | undefined) => (client === 'yes' ? ['client_bill'] : [])

describe('the places recorded in the live sandbox', () => {
  it.each(rows)('%s %s within %s miles', async (zip, _, radius, ...offered) => {
    const [home, labcorp, quest, bioreference, sonora, client] = offered
    const { body } = await petri.get(`/v3/order/area/info?zip_code=${zip}&radius=${radius}`)
    const lab = (lab_id: number, within_radius: number, via: boolean, bills: string[]) => ({
      lab_id,
      patient_service_centers: {
        appointment_with_vital: via,
        within_radius,
        radius,
        capabilities: lab_id === 4 && within_radius > 0 ? ['appointment_scheduling_via_junction'] : [],
      },
      supported_bill_types: bills,
    })
    expect(body.central_labs).toEqual({
      ...(client === 'yes' && { labcorp: lab(6, Number(labcorp), false, ['client_bill']) }),
      quest: lab(4, Number(quest), true, [...billsOf(client), 'commercial_insurance']),
      ...(bioreference !== '-' && {
        bioreference: lab(13, Number(bioreference), false, ['patient_bill_passthrough']),
      }),
      ...(sonora !== '-' && { sonora_quest: lab(25, 0, true, ['client_bill']) }),
    })
    const getlabs = { name: 'getlabs', service_types: ['appointment-ready'] }
    expect(body.phlebotomy).toEqual({
      is_served: home === 'yes',
      providers: home === 'yes' ? [getlabs] : [],
    })
    const sites = (await petri.get(`/v3/order/psc/info?zip_code=${zip}&lab_id=6&radius=${radius}`)).body
    expect(sites.patient_service_centers).toHaveLength(Math.min(30, Number(labcorp)))
  })

  it('can be limited to some laboratories', async () => {
    const labsOf = async (query: string) =>
      Object.keys((await petri.get(`/v3/order/area/info?zip_code=20001&${query}`)).body.central_labs)
    expect(await labsOf('lab=quest')).toEqual(['quest'])
    expect(await labsOf('labs=quest&labs=bioreference')).toEqual(['bioreference', 'quest'])
    expect((await petri.get('/v3/order/area/info?zip_code=20001&lab=genova')).status).toBe(422)
  })
})

describe('a patient service center', () => {
  it('says when it is open on each of seven days, and has a website', async () => {
    const { body } = await petri.get('/v3/order/psc/info?zip_code=19107&lab_id=4&radius=100')
    const hours = body.patient_service_centers.map(({ metadata }: { metadata: object }) => metadata)
    expect(hours).toHaveLength(30)
    const period = /^\d{1,2}:\d\d[AP]M - \d{1,2}:\d\d[AP]M(;\d{1,2}:\d\d[AP]M - \d{1,2}:\d\d[AP]M)?$/
    for (const { hours: days, website } of hours) {
      expect(Object.keys(days)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
      for (const day of Object.values(days)) if (day !== null) expect(day).toMatch(period)
      expect(days.Sun).toBeNull()
      expect(website).toMatch(/^https:/)
    }
    const all = body.patient_service_centers.flatMap((site: { capabilities: string[] }) => site.capabilities)
    expect(all).not.toContain('stat')
  })
})
