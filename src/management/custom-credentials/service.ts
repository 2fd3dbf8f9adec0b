import { createHash } from 'node:crypto'
import { valueError } from '../../api/issue.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { isOAuthSlug } from '../../resources/link/slugs.ts'
import { type ProviderCredentials, providerCredentials } from '../../resources/link/table.ts'
import type { World } from '../../world/world.ts'
import { filterTeams, getTeam, stored } from '../parts.ts'
import { detailFields } from './details.ts'
import type {
  Credentials,
  CredentialsDeleted,
  CredentialsInput,
  CredentialsPage,
  CredentialsQuery,
  Preparation,
  PreparationInput,
} from './schema.ts'

type Presented = Parsed<typeof Credentials>

const PAGE = 100

export function listCredentials(
  teams: readonly World[],
  { provider, team_id, next_cursor }: Parsed<typeof CredentialsQuery>,
): Parsed<typeof CredentialsPage> {
  const all = filterTeams(teams, team_id)
    .flatMap((team) => [...team.db.all(providerCredentials)].map((row) => present(team, row)))
    .filter(({ source }) => !provider || source === provider)
  const { items, nextCursor } = pageAfter(all, ({ id }) => id, next_cursor, PAGE)
  return { credentials: [...items], next_cursor: nextCursor }
}

/** Creates a team's own credentials, or updates the given fields. */
export async function setCredentials(
  teams: readonly World[],
  { team_id, provider, client_secret, ...given }: Parsed<typeof CredentialsInput>,
): Promise<Presented> {
  const team = getTeam(teams, team_id)
  const known = team.db.find(providerCredentials, provider)
  const client_id = given.client_id ?? known?.client_id ?? null
  const client_secret_hash = client_secret ? digestOf(client_secret) : (known?.client_secret_hash ?? null)
  assertDetails(provider, given.details)
  if (isOAuthSlug(provider) && (!client_id || !client_secret_hash)) {
    throw new Problem('bad_request', `${provider} needs a client_id and a client_secret.`)
  }
  const now = team.clock.now()
  const row = team.db.put(providerCredentials, {
    id: known?.id ?? team.newId('provider_credentials'),
    provider,
    client_id,
    client_secret_hash,
    details: given.details ?? known?.details ?? null,
    redirect_url_override:
      given.redirect_url_override === undefined
        ? (known?.redirect_url_override ?? null)
        : given.redirect_url_override,
    created_at: known?.created_at ?? now,
    updated_at: now,
  })
  await stored([team])
  return present(team, row)
}

/** Deletes a team's own credentials; it uses the shared app again. */
export async function deleteCredentials(
  teams: readonly World[],
  ids: readonly string[],
): Promise<Parsed<typeof CredentialsDeleted>> {
  const found = teams.flatMap(({ db }) => [...db.all(providerCredentials)].map((row) => ({ db, ...row })))
  const success = found.filter(({ id }) => ids.includes(id))
  for (const { db, provider } of success) db.delete(providerCredentials, provider)
  await stored(teams)
  const deleted = success.map(({ id }) => id)
  return {
    success: deleted,
    failure: [],
    not_found: [...new Set(ids)].filter((id) => !deleted.includes(id)),
  }
}

/** The settings a team has to enter at a provider for its own app. */
export function prepareCredentials(
  teams: readonly World[],
  { team_id, provider }: Parsed<typeof PreparationInput>,
): Parsed<typeof Preparation> {
  const { baseUrl } = getTeam(teams, team_id)
  if (!isOAuthSlug(provider)) return { status: 'no_action_needed', preparation_steps: [] }
  const redirect = {
    type: 'redirect_uri' as const,
    key: null,
    value: `${baseUrl}/v2/link/connect/${provider}`,
    description: 'Allow this address as a redirect URI of your app.',
  }
  const principal = {
    type: 'iam_principal' as const,
    key: null,
    value: 'connections@petri.example',
    description: 'Let this service account act for your project.',
  }
  return {
    status: 'preparations_required',
    preparation_steps: provider === 'google_health' ? [redirect, principal] : [redirect],
  }
}

function assertDetails(provider: string, details: object | null | undefined): void {
  if (!details || detailFields[provider]?.some((field) => field in details)) return
  const issue = valueError(`these are no details of ${provider}`)
  throw new Problem('invalid', [{ ...issue, loc: ['body', 'details'], input: details }])
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

const present = ({ identity }: World, row: ProviderCredentials): Presented => ({
  id: row.id,
  client_id: row.client_id,
  client_secret_hash: row.client_secret_hash,
  source: row.provider,
  team_id: identity.teamId,
  created_at: toWire(row.created_at),
  updated_at: toWire(row.updated_at),
  details: row.details as Presented['details'],
  app_url: null,
  redirect_url_override: row.redirect_url_override,
})
