import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { orNotFound } from '../../kernel/problem.ts'
import { UPPER_ALPHANUMERIC } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import type { PayorSeed } from '../catalogue/schema.ts'
import type { NewPayor, Payor } from './schema.ts'
import { type PayorRow, payors } from './table.ts'

/** Longer than the platform's codes, so that they cannot collide. */
const TEAM_CODE_LENGTH = 8

/** The payor of a code; for a public programme the plan of the patient's state, if there is one. */
export function findPayor(world: World, payorCode: string, state?: string): PayorRow | undefined {
  const code = payorCode.trim().toUpperCase()
  const seeds = world.services.catalogue.payors()
  const seed = seeds.get(code)
  if (!seed) return world.db.find(payors, code)
  return toRow(planOf(seed, [...seeds.values()], state) ?? seed)
}

/** Source: docs/contract/insurance.md. */
function planOf(payor: PayorSeed, seeds: readonly PayorSeed[], state = ''): PayorSeed | undefined {
  if (!payor.program || payor.state !== undefined) return undefined
  const wanted = state.trim().toUpperCase()
  return seeds.find((plan) => plan.program === payor.program && plan.state === wanted)
}

const toRow = ({ payor_code, name, aliases, org_address, source = 'platform' }: PayorSeed): PayorRow => ({
  payor_code,
  code: payor_code,
  name,
  aliases,
  org_address: { ...org_address, access_notes: null },
  source,
  provider: null,
  provider_payor_id: null,
})

/** The payor of a code, or the 404. */
export function getPayor(world: World, payorCode: string, state?: string): PayorRow {
  return orNotFound(findPayor(world, payorCode, state), `Payor ${payorCode} does not exist`)
}

interface PayorInput {
  readonly name?: string | null | undefined
  readonly provider?: string | null | undefined
  readonly providerPayorId?: string | null | undefined
}

/** Payors by a part of their name or of an alias, and their names at an external provider; the platform's first. */
export function searchPayors(world: World, input: PayorInput): Parsed<typeof Payor>[] {
  const { name, provider, providerPayorId } = input
  const part = name?.trim().toLowerCase() ?? ''
  const all = [...[...world.services.catalogue.payors().values()].map(toRow), ...world.db.all(payors)]
  return all
    .filter((payor) => [payor.name, ...payor.aliases].some((called) => called.toLowerCase().includes(part)))
    .filter((payor) => !provider || payor.provider === null || payor.provider === provider)
    .filter((payor) => !providerPayorId || (payor.provider_payor_id ?? payor.payor_code) === providerPayorId)
    .map(presentPayor)
}

/** Adds a payor that only this team sees. */
export function createPayor(world: World, body: Parsed<typeof NewPayor>): Parsed<typeof Payor> {
  const { name, address, provider, provider_payor_id } = body
  const code = world.ids.letters(`payor/${world.next('payor')}`, UPPER_ALPHANUMERIC, TEAM_CODE_LENGTH)
  const row = world.db.put(payors, {
    payor_code: code,
    code,
    name,
    aliases: [],
    org_address: address,
    source: 'team',
    provider,
    provider_payor_id,
  })
  return presentPayor(row)
}

const presentPayor = (row: PayorRow): Parsed<typeof Payor> => omit(row, 'provider', 'provider_payor_id')
