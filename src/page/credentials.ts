import { CallError, type Credentials, call, useCredentials } from './api.ts'
import type { ListPage, World } from './responses.ts'

/** The open world, or why none is. */
export type Opened =
  | { readonly worlds: readonly World[]; readonly world: World; readonly token: string | undefined }
  | { readonly refusal: string }

const WELL_KNOWN_KEY = 'sk_us_petri'

/** Removes a key or token from the address; it is behind the `#`, and so reaches no server. */
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

/** Opens a world with the credentials of the address or this tab, or without any if Petri allows it. */
export function open(): Promise<Opened> {
  const { key, token } = { ...stored(), ...takeFromAddress() }
  return openWith({ key, token })
}

/** Opens a world with a key or the control token. */
export async function openWith(given: Credentials): Promise<Opened> {
  useCredentials(given)
  const worlds = await listWorlds()
  const chosen = worlds.find(({ api_key }) => api_key === given.key) ?? (given.key ? undefined : worlds[0])
  if (chosen) return opened(chosen, worlds, given.token)
  useCredentials({ key: given.key ?? WELL_KNOWN_KEY, token: given.token })
  const world = await unlessRefused(() => call<World>('GET', '/_petri/world'))
  if (world) return opened(world, worlds.length > 0 ? worlds : [world], given.token)
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

/** Empty for clients that may not list them. */
export async function listWorlds(): Promise<readonly World[]> {
  const list = await unlessRefused(() => call<ListPage<World>>('GET', '/_petri/worlds'))
  return list?.data ?? []
}

async function unlessRefused<Body>(act: () => Promise<Body>): Promise<Body | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CallError && error.status > 0) return undefined
    throw error
  }
}
