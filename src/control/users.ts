import * as z from 'zod'
import { integer, maybe, text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { instant, nullableText, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { Slices } from '../kernel/slices.ts'
import { hasWords } from '../kernel/words.ts'
import { demographics } from '../resources/demographics/table.ts'
import { UserBundle } from '../resources/fhir/schema.ts'
import { userBundle } from '../resources/fhir/user.ts'
import { type OrderEntry, orderEntries } from '../resources/orders/directory.ts'
import { orders } from '../resources/orders/table.ts'
import { createUserAs } from '../resources/personas/service.ts'
import { NewUser, User } from '../resources/users/schema.ts'
import { assertFreeUserId, createUser, findByClientUserId, getUser } from '../resources/users/service.ts'
import { type UserRow, users } from '../resources/users/table.ts'
import { userScenarios } from '../scenarios/table.ts'
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

export const fhirUserOperation = operation({
  id: 'petri_users_fhir',
  route: 'GET /_petri/users/{user_id}/fhir',
  summary: 'Export a user as a FHIR R4 bundle: patient, conditions, treatments and reports',
  returns: UserBundle,
  run: (world, { params }) => userBundle(world, getUser(world, params.user_id).user_id),
})

const UserSummary = schema('PetriUserSummary', () => ({
  user_id: z.guid(),
  client_user_id: z.string(),
  /** From the user's demographics, or the name a kit was sent to; null if nobody has named the user. */
  name: nullableText(),
  created_on: instant(),
  /** The names of the providers that the user is connected to. */
  providers: texts(),
  orders: z.int(),
  scenario: z
    .string()
    .nullable()
    .describe("The scenario of the user's next orders; null if it is that of the world."),
}))

export const UserSummaries = schema('PetriUserSummaries', () => ({
  data: z.array(UserSummary()),
  total: z.int(),
}))

const MAX_LISTED = 500

const UsersQuery = unnamed(() => ({
  search: maybe(text()).describe(
    'Words in any order, parts of an id, a client user id, a name or an e-mail address.',
  ),
  ids: maybe(text()).describe('Only the users with these ids, separated by commas.'),
  limit: integer({ ge: 1, le: MAX_LISTED }).default(100),
  offset: integer({ ge: 0 }).default(0),
}))

export const listUsersOperation = operation({
  id: 'petri_users_list',
  route: 'GET /_petri/users',
  summary: 'List users with their names, newest first',
  query: UsersQuery,
  returns: UserSummaries,
  run: (world, { query }) => listUsers(world, query),
})

async function listUsers(world: World, { search, ids, limit, offset }: Parsed<typeof UsersQuery>) {
  const ofUser = latestOrders(world)
  const part = search?.trim() ?? ''
  const isFoundBy = hasWords(part)
  const all = ids == null ? world.db.ids(users).reverse() : ids.split(',').slice(0, MAX_LISTED)
  const found: string[] = []
  const slices = new Slices()
  for (const id of all) {
    const user = part === '' ? undefined : world.db.find(users, id)
    const isFound =
      part === '' ? world.db.has(users, id) : user && isFoundBy(textOf(world, user, ofUser.get(id)))
    if (isFound) found.push(id)
    if (slices.isOver) await slices.next()
  }
  const data = found.slice(offset, offset + limit).map((id) => {
    const { user_id, client_user_id, created_on, connected_sources } = world.db.get(users, id)
    const known = ofUser.get(id)
    return {
      user_id,
      client_user_id,
      name: nameOf(world, id, known),
      created_on,
      providers: connected_sources.map(({ source }) => source.name),
      orders: known?.count ?? 0,
      scenario: world.db.find(userScenarios, id)?.scenario ?? null,
    }
  })
  return { data, total: found.length }
}

interface OrdersOfUser {
  readonly count: number
  /** The latest order that names a patient or a recipient. */
  readonly named: OrderEntry | undefined
}

function latestOrders(world: World): ReadonlyMap<string, OrdersOfUser> {
  const byUser = new Map<string, OrdersOfUser>()
  for (const entry of orderEntries(world)) {
    const before = byUser.get(entry.userId)
    const isNaming = entry.patientName !== '' || entry.recipientName !== ''
    byUser.set(entry.userId, {
      count: (before?.count ?? 0) + 1,
      named: isNaming ? entry : before?.named,
    })
  }
  return byUser
}

function nameOf(world: World, userId: string, known: OrdersOfUser | undefined): string | null {
  const about = world.db.find(demographics, userId)
  if (about) return fullName(about)
  if (!known?.named) return null
  const { patient_details: patient, shipping_details: shipping } = world.db.get(orders, known.named.id)
  return patient ? fullName(patient) : (shipping?.receiver_name ?? null)
}

export const fullName = (person: { first_name?: string | null; last_name?: string | null }): string =>
  `${person.first_name ?? ''} ${person.last_name ?? ''}`.trim()

/** What a user is found by. */
function textOf(world: World, user: UserRow, known: OrdersOfUser | undefined): string {
  const about = world.db.find(demographics, user.user_id)
  return [user.user_id, user.client_user_id, nameOf(world, user.user_id, known), about?.email].join('\n')
}
