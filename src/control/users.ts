import * as z from 'zod'
import { text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { createUserAs } from '../resources/personas/service.ts'
import { NewUser, User } from '../resources/users/schema.ts'
import { assertFreeUserId, createUser, findByClientUserId } from '../resources/users/service.ts'
import { users } from '../resources/users/table.ts'
import type { World } from '../world/world.ts'

const UserCreation = schema('PetriUserCreation', () =>
  z.strictObject({
    ...NewUser().shape,
    user_id: uuid().optional().describe('Its id; a new one if omitted.'),
    client_user_id: text().optional().describe('The next free user-N if omitted.'),
    persona: text().optional().describe('Who it is; the person that follows from the seed if omitted.'),
  }),
)

export const createUserOperation = operation({
  id: 'petri_users_create',
  route: 'POST /_petri/users',
  summary: 'Create a user, with an id of your choice; omitted fields get generated values',
  body: UserCreation,
  bodyOptional: true,
  returns: User,
  status: 201,
  run(world, { body }) {
    const { user_id, client_user_id = freeClientUserId(world), persona, ...rest } = body ?? {}
    if (user_id !== undefined) assertFreeUserId(world, user_id)
    const user = { ...NewUser().parse({ client_user_id }), ...rest }
    return persona === undefined
      ? createUser(world, user, user_id)
      : createUserAs(world, persona, user, user_id)
  },
})

/** The first client user id of `user-1`, `user-2` … that is free. */
export function freeClientUserId(world: World): string {
  let ordinal = world.db.count(users) + 1
  while (findByClientUserId(world, `user-${ordinal}`)) ordinal++
  return `user-${ordinal}`
}
