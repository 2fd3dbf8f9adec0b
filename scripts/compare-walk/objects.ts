import { valueAt } from '../../src/kernel/json.ts'
import type { Reply, TeamApi, TeamRequest } from '../../src/tools/team-api.ts'
import { type ObjectKind, type OrderFilter, removerOf, type WalkCall } from './calls.ts'
import type { LabTestPair } from './lab-tests.ts'

export type Side = 'own' | 'other'
const sides = ['own', 'other'] as const

export type OnBothSides<Value> = Readonly<Record<Side, Value>>

/** An object that both services have. An appointment has the ids of its order. */
export interface ObjectPair extends OnBothSides<string> {
  /** The id of the user in the program's own words. */
  readonly clientUserId: string
  /** The lab test of an order. */
  readonly labTest: LabTestPair | undefined
  /** Whether it was deleted or cancelled. */
  readonly isGone: boolean
}

/** The maximum position from the latest. */
export const MAX_PICK = 3

/** The objects that a sequence has created. `requestOf` makes the request of a call about the object with this id. */
export function createObjects(requestOf: (call: WalkCall, id: string) => TeamRequest) {
  const objects: Record<ObjectKind, ObjectPair[]> = { user: [], order: [], bookable: [], appointment: [] }
  /** The requests that remove what is left, by the kind and the id of the object. */
  const removals: OnBothSides<Map<string, TeamRequest>> = { own: new Map(), other: new Map() }

  function learnRemoval(kind: ObjectKind, replies: OnBothSides<Reply>, about: ObjectPair): void {
    for (const side of sides) if (isSuccess(replies[side])) removals[side].delete(`${kind} ${about[side]}`)
    objects[kind] = objects[kind].map((each) => (each.own === about.own ? { ...each, isGone: true } : each))
  }

  return {
    /** An object by its position from the latest; those that are gone are found with the last position only. */
    find(kind: ObjectKind, pick: number, orders: OrderFilter = {}): ObjectPair | undefined {
      const fitting = objects[kind].filter(({ labTest }) => isOf(labTest, orders))
      const known = pick < MAX_PICK ? fitting.filter(({ isGone }) => !isGone) : fitting
      return known.at(-1 - (pick % Math.max(1, known.length)))
    },
    /** Remembers what a call has created, deleted or cancelled. */
    learn(
      { creates, orders, removes }: WalkCall,
      replies: OnBothSides<Reply>,
      about: ObjectPair,
    ): ObjectPair {
      if (removes) learnRemoval(removes, replies, about)
      if (!creates) return about
      const { kind, field } = creates
      const idOn = (side: Side) =>
        isSuccess(replies[side]) ? idIn(replies[side], about[side], field) : undefined
      const ids = { own: idOn('own'), other: idOn('other') }
      const remover = removerOf(kind, orders)
      for (const side of sides) {
        const id = ids[side]
        if (remover && id !== undefined) removals[side].set(`${kind} ${id}`, requestOf(remover, id))
      }
      const { own, other } = ids
      if (own === undefined || other === undefined) return about
      const created = { ...about, own, other, isGone: false }
      objects[kind].push(created)
      return created
    },
    /** The number of calls that remove what is left. */
    get left() {
      return Math.max(removals.own.size, removals.other.size)
    },
    /** Deletes the users that are left, and cancels their appointments before. */
    async remove(apis: OnBothSides<TeamApi>): Promise<void> {
      for (const side of sides)
        for (const request of [...removals[side].values()].reverse()) await apis[side].ask(request)
    },
  }
}

/** Whether an order of this lab test is one of those. */
export const isOf = (labTest: LabTestPair | undefined, { method, lab }: OrderFilter): boolean =>
  (method === undefined || labTest?.method === method) && (lab === undefined || labTest?.lab === lab)

const isSuccess = ({ status }: Reply) => status >= 200 && status < 300

/** The id of what was created; without a field, of what the call is about. */
function idIn({ body }: Reply, about: string, field: readonly string[] | undefined): string | undefined {
  if (!field) return about
  const value = valueAt(body, field)
  return typeof value === 'string' ? value : undefined
}
