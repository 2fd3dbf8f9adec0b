import { describe, expect, it } from 'vitest'
import { postUser } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const address = {
  first_line: '1 Sample Street',
  country: 'US',
  zip: '85004',
  city: 'Phoenix',
  state: 'AZ',
}

const insured = {
  first_name: 'Ada',
  last_name: "O'Hara",
  gender: 'female',
  address,
  dob: '1990-01-01',
  email: 'ada@example.com',
  phone_number: '+11234567890',
}

const record = { payor_code: 'UNITE', member_id: 'M1', group_id: 'G1', relationship: 'Self', insured }
const guarantor = { first_name: 'Ben', last_name: 'Li', address, phone_number: '+11234567890' }

async function newUser(): Promise<string> {
  const { body } = await postUser(petri, 'ada')
  return `/v2/user/${body.user_id}/insurance`
}

describe('insurance', () => {
  it('is recorded with the company behind the payor, and read back', async () => {
    const path = await newUser()
    const created = await petri.post(path, record)
    expect(created).toAnswer(200, {
      ...record,
      insured: { ...insured, address: { ...address, second_line: '', access_notes: null } },
      company: { name: 'UnitedHealthcare', address: { city: 'SALT LAKE CITY', country: 'US' } },
      guarantor: null,
      is_primary: true,
    })
    expect(await petri.get(`${path}/latest`)).toAnswer(200, created.body)
  })

  it('keeps every record, and shows the latest primary or other one', async () => {
    const path = await newUser()
    for (const [member_id, is_primary] of Object.entries({ A: true, B: false, C: true, D: false }))
      await petri.post(path, { ...record, member_id, is_primary })
    expect(await petri.read(`${path}/latest`)).toMatchObject({ member_id: 'C', is_primary: true })
    expect(await petri.read(`${path}/latest?is_primary=false`)).toMatchObject({ member_id: 'D' })
  })

  it('waits for the demographics of the user where the team wants it so', async () => {
    petri.world().setSettings({ features: { insurance_needs_demographics: true } })
    const path = await newUser()
    expect(await petri.post(path, record)).toRefuse(400, expect.stringContaining('demographics'))
    const { address: home, ...person } = insured
    const info = await petri.patch(path.replace('insurance', 'info'), { ...person, address: home })
    expect(info).toAnswer(200)
    expect(await petri.post(path, record)).toAnswer(200)
  })

  it('insures somebody born today, and nobody born tomorrow', async () => {
    const path = await newUser()
    const born = (dob: string) => petri.post(path, { ...record, insured: { ...insured, dob } })
    expect((await born('2026-01-05')).body.insured.dob).toBe('2026-01-05')
    expect(await born('2026-01-06')).toRefuse(422, [
      {
        type: 'value_error',
        loc: ['body', 'insured', 'dob'],
        input: '2026-01-06',
        ctx: { error: {} },
      },
    ])
  })

  it('needs a guarantor unless the relationship is Self, if the team requires one', async () => {
    const path = await newUser()
    const add = (relationship: string, more: object = {}) =>
      petri.post(path, { ...record, relationship, ...more })
    expect(await add('Spouse')).toAnswer(200)
    petri.world().setSettings({ features: { insurance_guarantor_rule: true } })
    for (const relationship of ['Spouse', 'Other']) {
      expect(await add(relationship)).toRefuse(400, 'guarantor must be set when relationship is not Self')
      expect(await add(relationship, { guarantor })).toAnswer(200)
    }
    for (const more of [{}, { guarantor: null }, { guarantor }]) expect(await add('Self', more)).toAnswer(200)
    expect(await add('self')).toAnswer(200)
  })

  it('is found by user, and primary or not as requested', async () => {
    const path = await newUser()
    expect(await petri.get(`${path}/latest`)).toRefuse(404, 'Insurance not found')
    await petri.post(path, { ...record, is_primary: false })
    expect(await petri.get(`${path}/latest`)).toAnswer(404)
    expect(await petri.get(`${path}/latest?is_primary=false`)).toAnswer(200)
    const { body } = await postUser(petri, 'ben')
    expect(await petri.get(`/v2/user/${body.user_id}/insurance/latest?is_primary=false`)).toAnswer(404)
  })

  it('takes the spellings of older samples', async () => {
    const { zip, ...noZip } = address
    const { body } = await petri.post(await newUser(), {
      ...record,
      insured: { ...insured, gender: 'Female', address: { ...noZip, zip_code: zip } },
    })
    expect(body.insured).toMatchObject({ gender: 'female', address: { zip } })
    expect(body.insured.address).not.toHaveProperty('zip_code')
  })

  it('reads a public programme as the plan of the patient’s state', async () => {
    const { body } = await petri.post(await newUser(), { ...record, payor_code: 'MEDFED' })
    expect(body).toMatchObject({ payor_code: 'MEDFED', company: { name: 'Medicare Arizona' } })
  })

  it('takes a guarantor, under the same rule for names', async () => {
    const path = await newUser()
    expect((await petri.post(path, { ...record, guarantor })).body.guarantor).toMatchObject({
      ...guarantor,
      household_income: null,
      email: null,
      address: { ...address, access_notes: null },
    })
    const refused = await petri.post(path, { ...record, guarantor: { ...guarantor, last_name: '-Li' } })
    expect(refused.body.detail[0]).toMatchObject({
      type: 'value_error',
      loc: ['body', 'guarantor', 'last_name'],
    })
  })

  it('reports each failing field', async () => {
    const path = await newUser()
    const { zip: _, ...noZip } = address
    const wrong = {
      ...record,
      relationship: 'Cousin',
      insured: { ...insured, first_name: ' ', address: { ...noZip, access_notes: 'x'.repeat(1001) } },
    }
    expect(await petri.post(path, wrong)).toRefuse(422, [
      {
        type: 'enum',
        loc: ['body', 'relationship'],
        msg: "Input should be 'Self', 'Spouse' or 'Other'",
        input: 'Cousin',
      },
      { type: 'string_too_short', loc: ['body', 'insured', 'first_name'] },
      { type: 'missing', loc: ['body', 'insured', 'address', 'zip'], msg: 'Field required' },
      { type: 'string_too_long', loc: ['body', 'insured', 'address', 'access_notes'] },
    ])
    const { insured: __, ...nobody } = record
    expect((await petri.post(path, nobody)).body.detail).toMatchObject([
      { type: 'missing', loc: ['body', 'insured'] },
    ])
    expect(await petri.get(`${path}/latest`)).toAnswer(404)
  })

  it('is refused for an unknown payor', async () => {
    expect(await petri.post(await newUser(), { ...record, payor_code: 'NOPE' })).toRefuse(
      404,
      'Payor NOPE does not exist',
    )
  })
})

describe('payors', () => {
  it('are found by name, alias or code, under both names of the code', async () => {
    const body = await petri.read('/v3/insurance/search/payor?insurance_name=uhc')
    expect(body).toMatchObject([
      { payor_code: 'UNITE', code: 'UNITE', name: 'UnitedHealthcare', source: 'platform' },
    ])
    expect((await petri.post('/v3/insurance/search/payor', { insurance_name: 'UHC' })).body).toEqual(body)
    const byCode = '/v3/insurance/search/payor?provider=stedi&provider_payor_id=AARPA'
    expect(await petri.read(byCode)).toMatchObject([{ name: 'AARP', org_address: { zip: '30374' } }])
  })

  it('are all there without a query, those of the team last', async () => {
    const all = (query = '') => petri.read(`/v3/insurance/search/payor${query}`)
    const before = await all()
    expect(before.length).toBeGreaterThan(20)
    for (const payor of before) {
      expect(payor.org_address.access_notes).toBeNull()
      expect(payor).not.toHaveProperty('provider')
      expect(payor).not.toHaveProperty('provider_payor_id')
    }
    const add = async (name: string) =>
      (await petri.post('/v3/payor', { name, address, provider: 'stedi', provider_payor_id: name })).body
    const [one, other] = [await add('One'), await add('Other')]
    expect(one.payor_code).toMatch(/^[A-Z0-9]{8}$/)
    expect(other.payor_code).not.toBe(one.payor_code)
    expect(one).toMatchObject({ code: one.payor_code, org_address: { city: 'Phoenix' } })
    expect(await all()).toEqual([...before, one, other])
    expect(await all('?provider=stedi')).toEqual([...before, one, other])
    expect(await all('?provider=waystar')).toEqual(before)
    expect(await all('?insurance_name=%20oNe%20')).toContainEqual(one)
  })

  it('are found by codes in any case, and public programmes by the state of the patient', async () => {
    const path = await newUser()
    const companyOf = async (payor_code: string, state: string) =>
      (
        await petri.post(path, {
          ...record,
          payor_code,
          insured: { ...insured, address: { ...address, state } },
        })
      ).body.company?.name
    expect(await companyOf(' unite ', 'AZ')).toBe('UnitedHealthcare')
    expect(await companyOf('MEDFED', 'CA')).toBe('Medicare California')
    expect(await companyOf('MAIDFED', 'CA')).toBe('Medicaid California')
    expect(await companyOf('MEDFED', 'WY')).toBe('Medicare')
    expect(await companyOf('MEDCA', 'AZ')).toBe('Medicare California')
  })

  it('can be added, and then insure somebody', async () => {
    const added = await petri.post('/v3/payor', {
      name: 'Sample Mutual',
      address,
      provider: 'stedi',
      provider_payor_id: 'SM-1',
    })
    expect(added).toAnswer(200, { name: 'Sample Mutual', source: 'team', aliases: [] })
    const { payor_code } = added.body
    const path = '/v3/insurance/search/payor'
    expect(await petri.read(`${path}?provider=stedi&provider_payor_id=SM-1`)).toEqual([added.body])
    expect(await petri.read(`${path}?provider=waystar&insurance_name=mutual`)).toEqual([])
    expect((await petri.post(await newUser(), { ...record, payor_code })).body.company).toMatchObject({
      name: 'Sample Mutual',
    })
  })
})
