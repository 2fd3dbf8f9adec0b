import { createHash, timingSafeEqual } from 'node:crypto'
import {
  invalidGrant,
  isAccessToken,
  linkError,
  linkTokenHeaders,
  linkTokenParameters,
  type Manager,
  managementKeyHeaders,
  managesTeam,
  teamOfAccessToken,
  teamOfGrant,
  teamOfLinkToken,
  userOfToken,
} from '../api/credentials.ts'
import { boolean } from '../api/fields.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { headerNames } from '../kernel/headers.ts'
import type { JsonObject } from '../kernel/json.ts'
import { badRequest, notFound, Problem } from '../kernel/problem.ts'
import { isLoopback } from '../kernel/this-machine.ts'
import type { OpenWorlds } from '../world/open-worlds.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { Worlds } from '../world/worlds.ts'
import { type AppContext, headersToGuard, isRead, peerOf, type Replying, type Step } from './context.ts'
import { isOwnHost } from './same-site.ts'

type ReadHeader = (name: string) => string | undefined
type ReadQuery = (name: string) => string | undefined

/** A call with a management key. */
export interface ManagementCaller {
  readonly header: ReadHeader
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The caller's address; undefined for a call made in this process. */
  readonly peer: string | undefined
}

export interface ManagementAccess {
  readonly manager: Manager
  /** The world of the team in the path, if the key may manage it. */
  readonly world: KnownWorld | undefined
}

export interface Credentials {
  /** The world of an API key, which may still have to be created. Throws if there is none. */
  worldOf(header: ReadHeader): KnownWorld | Promise<KnownWorld>
  /** The world of an API key, if there is one. */
  findWorld(header: ReadHeader): KnownWorld | undefined
  /** The world of a link token, otherwise that of the API key. Throws if there is none. */
  worldOfLink(header: ReadHeader, query: ReadQuery): KnownWorld | Promise<KnownWorld>
  /** The world and user of a mobile app's access token; undefined for other credentials. */
  userOf(header: ReadHeader): { readonly world: KnownWorld; readonly userId: string } | undefined
  /** The world of a sign-in token, refresh token or link code. Throws if there is none. */
  worldOfGrant(form: JsonObject, query: ReadQuery): Promise<KnownWorld>
  /** Throws without a valid key. */
  managerOf(caller: ManagementCaller): ManagementAccess
  /**
   * Throws unless the caller may create and delete worlds. `peer` is the caller's address; undefined for a call made
   * in this process.
   */
  assertController(header: ReadHeader, peer: string | undefined): void
}

export interface Keys {
  /** Header names that may carry the API key, in lower case. */
  readonly headers: readonly string[]
  readonly controlToken: string | undefined
  /** The URL of a reverse proxy in front of Petri; the peer address is then always the proxy's. */
  readonly publicUrl?: URL | undefined
  /** The API key in the documentation. */
  readonly wellKnownKey?: string
  /** Creates worlds for unknown keys. */
  readonly openWorlds?: Pick<OpenWorlds, 'mayOpen' | 'open' | 'used'> | undefined
  readonly worlds: {
    byKey(key: string): KnownWorld | undefined
    byTeam(teamId: string): KnownWorld | undefined
    /** Whether a world had this key, which has been replaced or deleted since. */
    hadKey(key: string): boolean
  }
  /** The world that has issued a link code. */
  worldOfCode(code: string): Promise<KnownWorld | undefined>
  /** The manager with this key; undefined for an unknown key. */
  managerOf(key: string): Manager | undefined
}

/** Checks the credentials of a call, and finds its world if the operation has one. */
export const authenticate =
  (operation: AnyOperation, credentials: Credentials, worlds: Pick<Worlds, 'use'>): Step =>
  (c, next) => {
    const isForAllWorlds =
      operation.takesAllWorlds === true && boolean().safeParse(c.req.query('all_worlds')).data === true
    const access = isForAllWorlds ? 'control' : (operation.access ?? 'world')
    c.set('isForAllWorlds', isForAllWorlds)
    const header = headersToGuard(c)
    c.set('operation', operation)
    const enter = (world: KnownWorld | Promise<KnownWorld>) => enterWorld(world, worlds, c, next)
    const caller = operation.takesUserToken ? credentials.userOf(header) : undefined
    if (caller) {
      c.set('userId', caller.userId)
      return enter(caller.world)
    }
    if (access === 'world') return enter(credentials.worldOf(header))
    if (access === 'grant') {
      const form = c.get('sent')?.form ?? {}
      return enter(credentials.worldOfGrant(form, (name) => c.req.query(name)))
    }
    if (access === 'link_token') {
      return enter(credentials.worldOfLink(header, (name) => c.req.query(name)))
    }
    if (access === 'control') credentials.assertController(header, peerOf(c))
    if (access === 'management') {
      const { manager, world } = credentials.managerOf({ header, params: c.req.param(), peer: peerOf(c) })
      c.set('manager', manager)
      if (world) return enter(world)
    }
    return next()
  }

/** Continues with a world, whose rows stay in memory until the reply. */
async function enterWorld(
  known: KnownWorld | Promise<KnownWorld>,
  worlds: Pick<Worlds, 'use'>,
  c: AppContext,
  next: () => Replying,
): Promise<Reply> {
  return worlds.use(await known, async (held) => {
    let world = held
    // Writes are refused until the world is open again.
    while (world.reopened && isRead(c.get('operation') as AnyOperation)) world = await world.reopened
    c.set('world', world)
    return next()
  })
}

export function createCredentials(keys: Keys): Credentials {
  const { headers, controlToken, worlds, openWorlds } = keys
  const keyOf = (header: ReadHeader) => {
    for (const name of headers) {
      const key = header(name)
      if (key) return key
    }
    return undefined
  }
  // A map looks keys up by hash, so the duration does not reveal how many characters are correct.
  const findWorld = (header: ReadHeader) => {
    const key = keyOf(header)
    if (key) return worlds.byKey(key)
    const token = bearer(header)
    return token === undefined ? undefined : (worlds.byKey(token) ?? worldOfAccessToken(worlds, token))
  }
  const worldOf = (header: ReadHeader) => {
    const key = keyOf(header) || bearer(header)
    if (key) assertOwnHost(header, key, keys)
    const world = findWorld(header)
    if (world) openWorlds?.used(world)
    if (world) return world
    if (key && openWorlds?.mayOpen(key) && !worlds.hadKey(key)) return openWorlds.open(key)
    const name = headers.find((each) => each === headerNames.liveApiKey) ?? headers[0]
    throw new Problem('unauthorized', key ? 'invalid token' : `Missing ${name}`, {
      headers: { [headerNames.hint]: whyNoWorld(header, name, keyOf(header) ?? bearer(header)) },
    })
  }
  return {
    worldOf,
    findWorld,
    managerOf: (caller) => authenticateManager(keys, caller),
    userOf(header) {
      const token = keyOf(header) ? undefined : bearer(header)
      const world = token === undefined ? undefined : worlds.byTeam(teamOfAccessToken(token) ?? '')
      if (!token || !world) return undefined
      const userId = userOfToken(token, world.identity, world.clock)
      if (userId !== undefined) openWorlds?.used(world)
      return userId === undefined ? undefined : { world, userId }
    },
    async worldOfGrant({ subject_token, refresh_token }, query) {
      const code = query('code')
      const token = subject_token ?? refresh_token
      const world =
        code === undefined
          ? worlds.byTeam((typeof token === 'string' && teamOfGrant(token)) || '')
          : await keys.worldOfCode(code)
      if (!world) throw code === undefined ? invalidGrant() : notFound('Code not found')
      openWorlds?.used(world)
      return world
    },
    worldOfLink(header, query) {
      const token = firstOf(linkTokenHeaders, header) ?? firstOf(linkTokenParameters, query)
      if (token) {
        const world = worlds.byTeam(teamOfLinkToken(token) ?? '')
        if (!world)
          throw new Problem('unauthorized', linkError('INVALID_REQUEST', 'The link token is invalid.'))
        openWorlds?.used(world)
        return world
      }
      if (keyOf(header) || bearer(header)) return worldOf(header)
      throw badRequest(linkError('MISSING_LINK_TOKEN', 'A link token is required.'))
    },
    assertController(header, peer) {
      if (controlToken !== undefined) {
        if (isSame(bearer(header) ?? '', controlToken)) return
        throw new Problem('unauthorized', 'This call needs the control token as bearer.')
      }
      if (isLocalCall(peer, keys)) return
      const who = keys.publicUrl ? 'nobody behind a proxy (PETRI_PUBLIC_URL)' : 'only this machine'
      throw new Problem('forbidden', `Without PETRI_CONTROL_TOKEN ${who} may make this call.`)
    },
  }
}

/** What was sent instead of the key of a world, and what would open one. No key is shown in full. */
function whyNoWorld(header: ReadHeader, name = '', key: string | undefined): string {
  const remedy = `send the key of a world in ${name}; "petri env" prints that of the first one`
  if (key) return `no world has the key ${key.slice(0, 6)}... (${key.length} characters): ${remedy}`
  const other =
    header('authorization') === undefined ? 'no key was sent' : 'authorization has no bearer token'
  return `${other}: ${remedy}`
}

/** Rejects the publicly known key under a foreign host name: with DNS rebinding any web page could use it. */
function assertOwnHost(header: ReadHeader, key: string, { wellKnownKey, openWorlds, publicUrl }: Keys): void {
  const isWellKnown = key === wellKnownKey
  if (!isWellKnown && !openWorlds?.mayOpen(key)) return
  const host = header('host')
  if (host === undefined || isOwnHost(host, publicUrl)) return
  const what = isWellKnown ? 'This API key is public' : 'Any key may create a world'
  const remedy = isWellKnown && !openWorlds ? 'PETRI_API_KEY' : 'PETRI_PUBLIC_URL'
  throw new Problem(
    'forbidden',
    `${what}, so it is refused under a foreign host name (Host: ${host}); set ${remedy}.`,
  )
}

function worldOfAccessToken(worlds: Keys['worlds'], token: string): KnownWorld | undefined {
  const world = worlds.byTeam(teamOfAccessToken(token) ?? '')
  return world && isAccessToken(token, world.identity, world.clock) ? world : undefined
}

function authenticateManager(keys: Keys, { header, params, peer }: ManagementCaller): ManagementAccess {
  const { managerOf, worlds } = keys
  const key = firstOf(managementKeyHeaders, header)
  if (!key) throw new Problem('unauthorized', 'Missing management key')
  const manager = managerOf(key)
  if (!manager) throw new Problem('unauthorized', 'invalid token')
  if (manager.isWellKnown && !isLocalCall(peer, keys)) {
    throw new Problem(
      'forbidden',
      'This management key is public, so it is accepted from this machine only; set PETRI_MANAGEMENT_KEY.',
    )
  }
  const world = worlds.byTeam(params.team_id?.toLowerCase() ?? '')
  const { orgId, teamId } = world?.identity ?? {}
  const isOrganisation = manager.takesAnyOrganisation || orgId === params.org_id?.toLowerCase()
  const isManaged = teamId !== undefined && isOrganisation && managesTeam(manager, teamId)
  return { manager, world: isManaged ? world : undefined }
}

const firstOf = (names: readonly string[], read: (name: string) => string | undefined) =>
  names.map(read).find(Boolean)

const bearer = (header: ReadHeader) => /^Bearer\s+(\S+)$/i.exec(header('authorization') ?? '')?.[1]

/** Compares digests of equal length in constant time. */
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted))

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a call was made in this process or from this machine, and not through a proxy. */
const isLocalCall = (peer: string | undefined, { publicUrl }: Keys): boolean =>
  peer === undefined || (publicUrl === undefined && isLoopback(peer))
