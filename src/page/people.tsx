import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, later, withQuery } from './api.ts'
import { shortId } from './format.ts'
import type { UserSummaries } from './responses.ts'
import { version, world } from './store.ts'

/** The names of users by their ids; only those that were read. */
const names = signal<ReadonlyMap<string, string>>(new Map())

const wanted = new Set<string>()
const MOST_AT_ONCE = 100

/** A user, by name. */
export function Person({ id }: { id: string }) {
  const known = names.value.get(id)
  const beat = known ? 0 : version.value
  useEffect(() => {
    if (!known && document.visibilityState !== 'hidden') want(id)
  }, [id, known, beat, world.value?.team_id])
  return <span title={id}>{known || `user ${shortId(id)}`}</span>
}

/** All names that are wanted in one moment are read by one call. */
function want(id: string): void {
  if (wanted.size === 0) later(0, () => void readNames())
  wanted.add(id)
}

async function readNames(): Promise<void> {
  const ids = [...wanted]
  wanted.clear()
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const path = withQuery('/_petri/users', {
      ids: ids.slice(at, at + MOST_AT_ONCE).join(','),
      limit: MOST_AT_ONCE,
    })
    const { data } = await get<UserSummaries>(path).catch(() => ({ data: [] }))
    const found = data.map(({ user_id, name, client_user_id }) => [user_id, name ?? client_user_id] as const)
    names.value = new Map([...names.value, ...found])
  }
}
