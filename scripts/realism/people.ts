import { type LocalPetri, startPetri } from '../../src/index.ts'
import { DAY_MS, toDate } from '../../src/kernel/instant.ts'

/** A person of the report, as their customer knows them. */
export interface Known {
  readonly nth: number
  readonly userId: string
  readonly sex: 'female' | 'male'
  readonly age: number
  readonly birthDate: string
}

/** How much is measured. */
export interface Size {
  readonly people: number
  readonly days: number
}

/** A world with people. The people with the same ordinal are the same in each such world. */
export interface Population {
  readonly petri: LocalPetri
  readonly people: readonly Known[]
}

export const END_YEAR = 2026
/** The last instant of the report: in summer, so that the year before contains one winter. */
const END = Date.UTC(END_YEAR, 6, 1, 12)

/** The date a number of days before the end of the report. */
export const dateBefore = (days: number): string => toDate(END - days * DAY_MS)

/** Starts a Petri with people in it, some days before the end, and stops it after use. */
export async function withPeople<Result>(
  count: number,
  daysBefore: number,
  use: (population: Population) => Promise<Result>,
  isWanted: (known: Omit<Known, 'userId'>) => boolean = () => true,
): Promise<Result> {
  const now = new Date(END - daysBefore * DAY_MS).toISOString()
  const petri = await startPetri({ seed: 'realism', now, scenario: 'manual' })
  try {
    const people: Known[] = []
    for (let nth = 0; nth < count; nth++) {
      const { user_id: userId } = await petri.users.create(`person-${nth}`)
      const known = { ...knownOf(nth), userId }
      await petri.call('PATCH', `/v2/user/${userId}/info`, demographicsOf(known))
      if (isWanted(known)) people.push(known)
    }
    return await use({ petri, people })
  } finally {
    await petri.close()
  }
}

const BEGINS = '2025-03-03T12:00:00Z'

/** Starts a Petri with people who are one persona from today on, and stops it after use. */
export async function withPersona<Result>(
  persona: string,
  count: number,
  use: (population: Population) => Promise<Result>,
): Promise<Result> {
  const petri = await startPetri({ seed: 'realism', now: BEGINS, scenario: 'manual' })
  try {
    await petri.call('PATCH', '/_petri/world', { features: { minor_ordering: true } })
    const people: Known[] = []
    for (let nth = 0; nth < count; nth++) {
      const user = { client_user_id: `person-${nth}`, persona }
      const { user_id: userId } = await petri.call<{ user_id: string }>('POST', '/_petri/users', user)
      const path = `/_petri/users/${userId}/truth`
      const truth = await petri.call<{ sex: Known['sex']; birth_date: string }>('GET', path)
      const age = Number(BEGINS.slice(0, 4)) - Number(truth.birth_date.slice(0, 4))
      people.push({ nth, userId, sex: truth.sex, age, birthDate: truth.birth_date })
    }
    return await use({ petri, people })
  } finally {
    await petri.close()
  }
}

/** Ages are spread evenly from 20 to 79; half are women. */
function knownOf(nth: number): Omit<Known, 'userId'> {
  const age = 20 + ((Math.floor(nth / 2) * 37) % 60)
  const month = String(1 + (nth % 6)).padStart(2, '0')
  const day = String(1 + (nth % 28)).padStart(2, '0')
  return { nth, age, sex: nth % 2 === 0 ? 'female' : 'male', birthDate: `${END_YEAR - age}-${month}-${day}` }
}

export const address = {
  first_line: '1 Test Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}

const parent = { first_name: 'Parent', last_name: 'Example', phone_number: '+16025550124', address }

export const patientOf = ({ nth, sex, age, birthDate }: Known) => ({
  first_name: 'Person',
  last_name: 'Example',
  email: `person-${nth}@example.com`,
  phone_number: '+16025550123',
  gender: sex,
  dob: birthDate,
  medical_proxy: age < 18 ? parent : null,
})

const demographicsOf = (known: Known) => ({ ...patientOf(known), address })

const MAX_HISTORY_DAYS = 365

/** By then every provider has sent its history. */
export const ARRIVAL = '6h'

/** Connects all people to a provider, with as much history as a team may pull. */
export async function connectAll({ petri, people }: Population, provider: string): Promise<void> {
  const { org_id } = await petri.call<{ org_id: string }>('GET', '/_petri/world')
  // Garmin's history comes as an event for each of its days.
  const days = provider === 'garmin' ? 60 : MAX_HISTORY_DAYS
  const preference = { default: { historical_days_to_pull: days } }
  await petri.call(
    'POST',
    `/v1/org/${org_id}/team_data_pull_preferences/sandbox/us`,
    { team_ids: [petri.teamId], providers: { [provider]: preference } },
    { 'x-management-key': 'mg_petri' },
  )
  const connect = connectors[provider]
  if (connect) {
    for (const { userId } of people) await petri.call('POST', ...connect(userId, provider))
    return
  }
  const connections = people.map(({ userId }) => ({
    user_id: userId,
    access_token: 'access',
    refresh_token: 'refresh',
    provider_id: `${provider}-${userId}`,
    expires_at: 2_000_000_000,
  }))
  await petri.call('POST', '/v2/link/bulk_import', { provider, connections, wait_for_completion: true })
}

/** How to connect to providers that have no OAuth. */
const connectors: Readonly<Record<string, (userId: string, provider: string) => readonly [string, object]>> =
  {
    apple_health_kit: (user_id, provider) => [`/v2/link/provider/manual/${provider}`, { user_id }],
  }
