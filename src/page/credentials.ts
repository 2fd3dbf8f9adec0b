import { CallError, type Credentials, call, useCredentials } from './api.ts'
import type { World } from './responses.ts'

/** What is open, or why nothing is. */
export type Opened =
  | { readonly worlds: readonly World[]; readonly world: World; readonly token: string | undefined }
  | { readonly refusal: string }

const WELL_KNOWN_KEY = 'sk_us_petri'

/** Takes a key or token out of the address, where it stands behind the `#` and so reaches no server. */
function takeFromAddress(): Partial<Credentials> {
  const found = /^#(key|token)=([^&]+)/.exec(location.hash)
  if (!found) return {}
  history.replaceState(null, '', location.pathname)
  return { [found[1] as 'key' | 'token']: decodeURIComponent(found[2] ?? '') }
}

export function forgetKey(): void {
  sessionStorage.removeItem('petri.key')
  useCredentials({ key: undefined, token: sessionStorage.getItem('petri.token') ?? undefined })
}

const stored = (): Partial<Credentials> => ({
  key: sessionStorage.getItem('petri.key') ?? undefined,
  token: sessionStorage.getItem('petri.token') ?? undefined,
})

function store({ key, token }: Credentials): void {
  useCredentials({ key, token })
  if (key) sessionStorage.setItem('petri.key', key)
  else sessionStorage.removeItem('petri.key')
  if (token) sessionStorage.setItem('petri.token', token)
}

/** Opens a world with what the address, this tab or this machine has; asks nobody where it can do without. */
export async function open(): Promise<Opened> {
  const { key, token } = { ...stored(), ...takeFromAddress() }
  return openWith({ key, token })
}

/** Opens a world with a key or the control token. */
export async function openWith(given: Credentials): Promise<Opened> {
  useCredentials(given)
  const worlds = await listWorlds()
  const chosen = worlds.find(({ api_key }) => api_key === given.key) ?? (given.key ? undefined : worlds[0])
  if (chosen) return opened(chosen, worlds, given.token)
  for (const key of given.key ? [given.key] : [WELL_KNOWN_KEY]) {
    useCredentials({ key, token: given.token })
    const world = await describeWorld()
    if (world) return opened(world, worlds.length > 0 ? worlds : [world], given.token)
  }
  forgetKey()
  if (given.key || given.token) {
    sessionStorage.removeItem('petri.token')
    return { refusal: 'This opens no world.' }
  }
  return { refusal: 'This world needs a key.' }
}

function opened(world: World, worlds: readonly World[], token: string | undefined): Opened {
  store({ key: world.api_key, token })
  return { worlds, world, token }
}

/** Empty for whoever may not see them all. */
export async function listWorlds(): Promise<readonly World[]> {
  try {
    return (await call<{ data: World[] }>('GET', '/_petri/worlds')).data
  } catch (error) {
    if (error instanceof CallError && error.status > 0) return []
    throw error
  }
}

async function describeWorld(): Promise<World | undefined> {
  try {
    return await call<World>('GET', '/_petri/world')
  } catch (error) {
    if (error instanceof CallError && error.status > 0) return undefined
    throw error
  }
}
