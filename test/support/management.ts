import { organisationId } from '../../src/world/organisation.ts'
import { callsOver, type TestPetri } from './petri.ts'

export const ORG = `/v1/org/${organisationId}`
/** Opens a Petri that was told nothing else. */
export const MANAGEMENT_KEY = 'mg_petri'

/** Calls of the management API, below the organisation; they bring no team key. */
export function managing(petri: TestPetri, key = MANAGEMENT_KEY) {
  const headers = { 'x-management-key': key, 'x-service-api-key': '' }
  return callsOver((method, path, body) => petri.call(method, `${ORG}${path}`, body, headers))
}

export const teamIdOf = (petri: TestPetri): string => petri.world().identity.teamId

/** Makes a second team; its id. */
export const secondTeam = async ({ post }: ReturnType<typeof managing>): Promise<string> =>
  (await post('/team', { name: 'Second', region: 'us' })).body.id
