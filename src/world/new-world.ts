import { BASE62, createRandom, type Random } from '../kernel/random.ts'
import type { Database } from '../storage/database.ts'
import { numberedSeed } from './ids.ts'
import { eraseTeam, nextNumber, organisationId } from './organisation.ts'
import type { Identity, Region, WorldOptions } from './settings.ts'

export interface NewWorld extends Omit<WorldOptions, 'seed' | 'behaviourSeed'> {
  readonly name: string
  /** By default that of the first world with a number, so that only ids differ. */
  readonly seed?: string
  /** Whether it is the world that a start creates. */
  readonly isFirst?: boolean
  readonly teamId?: string | undefined
  readonly apiKey?: string
  readonly webhookSecret?: string
  readonly region?: Region
  readonly integrationTeamId?: string | null
}

/** The random source of a world's team id, key and secret. */
export const namesOf = (seed: string, which: string | number): Random =>
  createRandom(`petri/world/${seed}/${which}`)

/** The team of the first world of a folder, if it was never deleted. */
export const firstTeamOf = (seed: string): string => namesOf(seed, 0).uuid('team')

/** What a new world is called: its seed, and the source of the names that its caller has not given. */
interface Named {
  readonly seed: string
  readonly names: Random
  readonly isFirst: boolean
}

/** The number of the next world, or of the next reset with new ids, from 0. */
export const nextWorldNumber = (db: Database): number => nextNumber(db, 'world') - 1

/**
 * Names a new world. What its caller has not given follows from a number that no other world of the folder has had.
 * The very first world has the names of its seed alone.
 */
export function nameWorld(
  db: Database,
  { teamId, apiKey, seed, isFirst = false }: NewWorld,
  { firstSeed, isFree }: { readonly firstSeed: string; isFree(teamId: string): boolean },
): Named {
  // The team may have been deleted.
  if (teamId !== undefined) eraseTeam(db, teamId)
  if (teamId !== undefined && apiKey !== undefined && seed !== undefined)
    return { seed, names: namesOf(seed, teamId), isFirst: false }
  for (;;) {
    const number = nextWorldNumber(db)
    const isVeryFirst = isFirst && number === 0
    const named = seed ?? numberedSeed(firstSeed, number)
    const names = namesOf(named, isVeryFirst ? 0 : `number ${number}`)
    if (isFree(names.uuid('team'))) return { seed: named, names, isFirst: isFirst && !isVeryFirst }
  }
}

/** The ids, names and keys of a new world. */
export function newIdentity(
  {
    name,
    teamId,
    apiKey,
    webhookSecret: given,
    region = 'us',
    integrationTeamId = null,
    isFirst,
  }: Omit<NewWorld, keyof WorldOptions>,
  names: Random,
  createdAt: number,
): Identity {
  return {
    teamId: teamId ?? names.uuid('team'),
    orgId: organisationId,
    name,
    apiKey: apiKey ?? `sk_${region}_${names.letters('key', BASE62, 32)}`,
    webhookSecret: given ?? webhookSecret(names.letters('secret', BASE62, 24)),
    region,
    integrationTeamId,
    createdAt,
    ...(isFirst && { isFirst }),
  }
}

/** The webhook secret of random letters. */
export const webhookSecret = (letters: string): string =>
  `whsec_${Buffer.from(letters, 'latin1').toString('base64')}`
