import { createHash } from 'node:crypto'
import { BASE62, createRandom, type Random } from '../kernel/random.ts'
import { organisationId } from './organisation.ts'
import type { Identity, Region, WorldOptions } from './settings.ts'

export interface NewWorld extends WorldOptions {
  readonly name: string
  readonly teamId?: string | undefined
  readonly apiKey?: string
  readonly webhookSecret?: string
  readonly region?: Region
  readonly integrationTeamId?: string | null
}

/** The random source of a world's ids and keys. */
export const namesOf = (seed: string, which: string | number): Random =>
  createRandom(`petri/world/${seed}/${which}`)

/** The team of the first world that a Petri makes with a seed. */
export const firstTeamOf = (seed: string): string => namesOf(seed, 0).uuid('team')

/** The seed after this one: a number at its end counts the resets, as in `1~2`. */
export function seedAfter(seed: string): string {
  const [, text = seed, count = '0'] = /^(.*)~(\d+)$/s.exec(seed) ?? []
  return `${text}~${Number(count) + 1}`
}

const STAGE_KEY = /^sk_(us|eu)_explore_/

/** Whether a key is of the form that only stages of explorations have. */
export const isStageKey = (key: string): boolean => STAGE_KEY.test(key)

/**
 * The team and key of the stage in which histories for the program of a world are played. They follow from that world, so
 * that its program can be started with the key before.
 */
export function stageOf({ teamId, apiKey, webhookSecret, region = 'us' }: Identity) {
  const digest = (what: string) =>
    createHash('sha256').update(`petri/stage/${what}/${teamId}/${apiKey}/${webhookSecret}`).digest('hex')
  return {
    teamId: createRandom(digest('team')).uuid('team'),
    apiKey: `sk_${region}_explore_${digest('key').slice(0, STAGE_KEY_LETTERS)}`,
  }
}

const STAGE_KEY_LETTERS = 32

/** The ids, names and keys of a new world. */
export function newIdentity(
  { name, teamId, apiKey, webhookSecret, region = 'us', integrationTeamId = null }: NewWorld,
  names: Random,
  createdAt: number,
): Identity {
  return {
    teamId: teamId ?? names.uuid('team'),
    orgId: organisationId,
    name,
    apiKey: apiKey ?? `sk_${region}_${names.letters('key', BASE62, 32)}`,
    webhookSecret: webhookSecret ?? newSecret(names.letters('secret', BASE62, 24)),
    region,
    integrationTeamId,
    createdAt,
  }
}

const newSecret = (text: string) => `whsec_${Buffer.from(text, 'latin1').toString('base64')}`
