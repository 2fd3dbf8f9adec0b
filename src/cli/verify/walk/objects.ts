import { isObject } from '../../../kernel/json.ts'
import type { Reply, TeamApi } from '../../team-api.ts'
import type { ObjectKind, WalkCall } from './calls.ts'

export type Side = 'own' | 'other'
const sides = ['own', 'other'] as const

export type OnBothSides<Value> = Readonly<Record<Side, Value>>

/** A user or an order that both services have. */
export interface ObjectPair extends OnBothSides<string> {
  /** The id of the user in the program's own words. */
  readonly clientUserId: string
  /** The collection method of an order. */
  readonly method: string | undefined
  /** Whether it was deleted. */
  readonly isGone: boolean
}

/** What a sequence has created. */
export interface Objects {
  /** An object by its position from the latest; those that are gone are found with the last position only. */
  find(kind: ObjectKind, pick: number): ObjectPair | undefined
  /** Remembers what a call has created or deleted. */
  learn(call: WalkCall, replies: OnBothSides<Reply>, about: ObjectPair): ObjectPair
  /** The number of calls that delete the users that are left. */
  readonly usersLeft: number
  /** Deletes the users that are left. */
  deleteUsers(apis: OnBothSides<TeamApi>): Promise<void>
}

/** The maximum position from the latest. */
export const MAX_PICK = 3

export function createObjects(): Objects {
  const objects: Record<ObjectKind, ObjectPair[]> = { user: [], order: [] }
  const users: OnBothSides<Set<string>> = { own: new Set(), other: new Set() }

  return {
    find(kind, pick) {
      const all = objects[kind]
      const known = pick < MAX_PICK ? all.filter(({ isGone }) => !isGone) : all
      return known.at(-1 - (pick % Math.max(1, known.length)))
    },
    learn({ route, creates }, replies, about) {
      if (route === DELETE_USER) {
        for (const side of sides) if (isSuccess(replies[side])) users[side].delete(about[side])
        objects.user = objects.user.map((each) => (each.own === about.own ? { ...each, isGone: true } : each))
      }
      if (!creates) return about
      const own = idIn(replies.own, creates.field)
      const other = idIn(replies.other, creates.field)
      if (creates.kind === 'user' && own !== undefined) users.own.add(own)
      if (creates.kind === 'user' && other !== undefined) users.other.add(other)
      if (own === undefined || other === undefined) return about
      const created = { ...about, own, other }
      objects[creates.kind].push(created)
      return created
    },
    get usersLeft() {
      return Math.max(users.own.size, users.other.size)
    },
    async deleteUsers(apis) {
      for (const side of sides)
        for (const id of users[side]) await apis[side].ask({ method: 'DELETE', path: `/v2/user/${id}` })
    },
  }
}

export const DELETE_USER = 'DELETE /v2/user/{user_id}'

const isSuccess = ({ status }: Reply) => status >= 200 && status < 300

function idIn(reply: Reply, field: readonly string[]): string | undefined {
  const value = field.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), reply.body)
  return isSuccess(reply) && typeof value === 'string' ? value : undefined
}
