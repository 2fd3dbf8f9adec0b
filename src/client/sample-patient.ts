import type { AddressFixture, Fixtures, InCamelCase, PatientFixture } from './kit.ts'

/** The person for whom Petri's own commands place orders. */
export const samplePatient: PatientFixture = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}

/** An address of that person, at which a sample can be collected. */
export const sampleAddress: AddressFixture = {
  receiver_name: 'Ada Example',
  first_line: '1 N Central Ave',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
}

const inCamelCase = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as InCamelCase<Fields>

export const fixtures: Fixtures = {
  patient: (fields) => ({ ...samplePatient, ...fields }),
  address: (fields) => ({ ...sampleAddress, ...fields }),
  camelCase: {
    patient: (fields) => ({ ...inCamelCase(samplePatient), ...fields }),
    address: (fields) => ({ ...inCamelCase(sampleAddress), ...fields }),
  },
}
