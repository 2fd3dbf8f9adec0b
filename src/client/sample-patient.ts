/** The person for whom Petri's own commands place orders. */
export const samplePatient = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}

/** An address of that person, at which a sample can be collected. */
export const sampleAddress = {
  receiver_name: 'Ada Example',
  first_line: '1 N Central Ave',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
}
