import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { NewUser, User, UserNotCreated } from '../users/schema.ts'
import { createUser, nameIn } from '../users/service.ts'
import { createUserAs } from './service.ts'
import { people } from './table.ts'

const personaOperations = [
  operation({
    id: 'user_create',
    route: 'POST /v2/user',
    summary: 'Create a user',
    body: NewUser,
    returns: User,
    alsoReturns: { 400: UserNotCreated },
    run(world, { body }, { persona }) {
      const named = nameIn(body.client_user_id)
      const wanted = persona ?? world.services.personas.names().find((name) => name === named)
      return wanted === undefined ? createUser(world, body) : createUserAs(world, wanted, body)
    },
  }),
]

export const personaResource: Resource = {
  name: 'personas',
  operations: personaOperations,
  tables: [people],
}
