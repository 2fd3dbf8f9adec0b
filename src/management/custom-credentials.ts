import { hash } from 'node:crypto'
import * as z from 'zod'
import { boolean, mapOf, maybe, oneOf, text, uuid } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { pageOf } from '../api/pagination.ts'
import { anyObject, instant, nullableText, type Parsed, schema, unnamed } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { once } from '../kernel/once.ts'
import { badRequest, Problem } from '../kernel/problem.ts'
import { createRandom } from '../kernel/random.ts'
import { billingTypes, phlebotomyProviders, sendingLabs } from '../resources/catalogue/schema.ts'
import { isOAuthSlug, oauthSlugs } from '../resources/link/schema.ts'
import { type ProviderCredentials, providerCredentials } from '../resources/link/table.ts'
import { providerSlugs } from '../resources/providers/schema.ts'
import { webUrl } from '../webhooks/fields.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { World } from '../world/world.ts'
import { pageById } from './collection.ts'

import { deletion } from './fields.ts'
import { managed } from './operation.ts'
import { filterTeams, getTeam, stored } from './teams-of-key.ts'

const account = () => ({
  sub_account_id: maybe(text()),
  sub_account_name: maybe(text()),
  allowed_billing_types: maybe(z.array(oneOf(billingTypes))),
  disallowed_billing_states: maybe(mapOf(billingTypes, z.array(text()))),
})

/**
 * What providers need in addition to client id and secret, one of its forms each; other providers need nothing. Source:
 * docs/contract/management.md.
 */
const detailForms = once(
  () =>
    [
      [
        'fitbit',
        z.object({
          fitbit: z.object({
            is_hr_enabled: boolean().default(false),
            workout_verify_token: text(),
            sleep_verify_token: text(),
            body_verify_token: text(),
            foods_verify_token: maybe(text()),
          }),
        }),
      ],
      ['google_fit', z.object({ redirect_uri: text(), data_scopes: z.array(text()) })],
      ['google_health', z.strictObject({ project_number: text(), service_account_email: text() })],
      ['bioreference', z.object({ ...account(), bioreference: anyObject() })],
      [
        'labcorp',
        z.object({
          ...account(),
          labcorp: z.object({ account_number: text(), billing_method: oneOf(['CM', 'PT', 'PI']) }),
        }),
      ],
      [
        'quest',
        z.object({
          ...account(),
          quest: anyObject(),
          allowed_business_units: maybe(z.array(text())),
        }),
      ],
      ['polar', z.object({ webhook_secret: text() })],
      [
        'getlabs',
        z.object({ getlabs: z.object({ webhook_secret_key: text(), webhook_secret_token: text() }) }),
      ],
      [
        'phlebfinders',
        z.object({
          phlebfinders: z.object({
            account_id: text(),
            account_name: text(),
            team_id: text(),
            team_name: text(),
            webhook_token: text(),
            email: text(),
          }),
        }),
      ],
      [
        'labcorp',
        z.object({
          ...account(),
          sending_facility: text(),
          sending_application: text(),
          receiving_facility: text(),
          receiving_application: text(),
        }),
      ],
      ['my_fitness_pal_v2', z.object({ client: text() })],
    ] as const,
)

const Details = schema('ProviderCredentialDetails', () => z.union(detailForms().map(([, form]) => form)))

const labPartners = ['aftership', 'shippo', 'sanocardio', 'supera', 'twilio', 'telnyx', 'mtl'] as const

/** The providers and laboratories a team can have its own credentials for. Source: docs/contract/management.md. */
const sources: readonly string[] = [
  ...new Set([...providerSlugs, ...sendingLabs, ...labPartners, ...phlebotomyProviders]),
]

/** Credentials with a digest in place of the secret. */
const Credentials = schema('TeamProviderCredentials', () => ({
  id: z.uuid(),
  client_id: nullableText(),
  client_secret_hash: nullableText(),
  source: z.enum(sources),
  team_id: z.uuid(),
  created_at: instant(),
  updated_at: instant(),
  details: Details().nullable(),
  app_url: nullableText(),
  redirect_url_override: nullableText(),
}))

const CredentialsPage = schema('TeamProviderCredentialsPage', () => pageOf(Credentials(), 'credentials'))

const CredentialsInput = schema('TeamProviderCredentialsInput', () => ({
  team_id: uuid(),
  provider: oneOf(sources),
  client_id: maybe(text()),
  client_secret: maybe(text()),
  details: maybe(Details()),
  redirect_url_override: maybe(webUrl()),
}))

const CredentialsQuery = unnamed(() => ({
  next_cursor: maybe(text()),
  provider: maybe(oneOf([...oauthSlugs, ...sendingLabs, 'freestyle_libre'])),
  team_id: z.array(uuid()).default([]),
}))

const CredentialsChoice = unnamed(() => ({ credential_id: z.array(uuid()) }))

const CredentialsDeleted = deletion('TeamProviderCredentialsDeleted')

const PreparationInput = schema('CredentialPreparationInput', () => ({
  team_id: uuid(),
  provider: oneOf([...new Set([...providerSlugs, ...sendingLabs])]),
}))

const Preparation = schema('CredentialPreparation', () => ({
  status: z.enum(['no_action_needed', 'preparations_required']),
  preparation_steps: z.array(
    z.object({
      type: z.enum(['redirect_uri', 'webhook_uri', 'iam_principal']),
      key: nullableText(),
      value: z.string(),
      description: nullableText(),
    }),
  ),
}))

export const customCredentialOperations = [
  managed({
    id: 'get_team_custom_credentials',
    route: 'GET /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "List the teams' own provider credentials, without secrets",
    query: CredentialsQuery,
    returns: CredentialsPage,
    async run(_, { params, query: { next_cursor, ...filter } }, { worlds, teams }) {
      const rows = await worlds.each(withCredentials(filterTeams(teams(), filter.team_id)), (team) =>
        [...team.db.all(providerCredentials)].map((row) => present(team, row)),
      )
      const all = rows.flat().filter(({ source }) => !filter.provider || source === filter.provider)
      const { items, ...page } = pageById(['credentials', params, filter], all, next_cursor)
      return { credentials: items, ...page }
    },
  }),
  managed({
    id: 'upsert_team_custom_credentials',
    route: 'POST /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "Set a team's own credentials for a provider",
    body: CredentialsInput,
    returns: Credentials,
    run: (_, { body }, { worlds, teams }) =>
      worlds.use(getTeam(teams(), body.team_id), (team) => setCredentials(team, body)),
  }),
  managed({
    id: 'delete_team_custom_credentials',
    route: 'DELETE /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "Delete a team's own credentials; it uses the shared app again",
    query: CredentialsChoice,
    returns: CredentialsDeleted,
    async run(_, { query: { credential_id: ids } }, { worlds, teams }) {
      const success: string[] = []
      await worlds.useAll(withCredentials(teams()), async (used) => {
        for (const { db } of used) {
          for (const { id, provider } of [...db.all(providerCredentials)]) {
            if (!ids.includes(id)) continue
            db.delete(providerCredentials, provider)
            success.push(id)
          }
        }
        await stored(used)
      })
      const not_found = [...new Set(ids)].filter((id) => !success.includes(id))
      return { success, failure: [], not_found }
    },
  }),
  managed({
    id: 'prepare_team_custom_credentials',
    route: 'POST /v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}',
    summary: 'Show the settings to enter at a provider',
    body: PreparationInput,
    returns: Preparation,
    run: (_, { body }, { worlds, teams }) =>
      worlds.use(getTeam(teams(), body.team_id), (team) => preparationOf(team, body.provider)),
  }),
]

/** The teams that have credentials of their own. */
const withCredentials = (teams: readonly KnownWorld[]) =>
  teams.filter((team) => team.count(providerCredentials) > 0)

/** Creates a team's own credentials, or updates the given fields. */
async function setCredentials(
  team: World,
  { provider, client_secret, ...given }: Parsed<typeof CredentialsInput>,
) {
  const known = team.db.find(providerCredentials, provider)
  const { redirect_url_override = known?.redirect_url_override ?? null } = given
  const client_id = given.client_id ?? known?.client_id ?? null
  const client_secret_hash = client_secret
    ? hash('sha256', client_secret)
    : (known?.client_secret_hash ?? null)
  assertDetails(provider, given.details)
  if (isOAuthSlug(provider) && (!client_id || !client_secret_hash)) {
    throw badRequest(`${provider} needs a client_id and a client_secret.`)
  }
  const now = team.clock.now()
  const row = team.db.put(providerCredentials, {
    id: known?.id ?? newId(team),
    provider,
    client_id,
    client_secret_hash,
    details: given.details ?? known?.details ?? null,
    redirect_url_override,
    created_at: known?.created_at ?? now,
    updated_at: now,
  })
  await stored([team])
  return present(team, row)
}

/** Derived from the team id, because one call deletes credentials of several teams, whose worlds may have one seed. */
const newId = ({ identity, next }: World): string =>
  createRandom(`petri/provider-credentials/${identity.teamId}`).uuid(`${next('provider_credentials')}`)

/** The settings a team has to enter at a provider for its own app. */
function preparationOf({ baseUrl }: World, provider: string): Parsed<typeof Preparation> {
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
  const isOf = ([known, form]: ReturnType<typeof detailForms>[number]) =>
    known === provider && form.safeParse(details).success
  if (!details || detailForms().some(isOf)) return
  const issue = valueError(`these are not details of ${provider}`)
  throw new Problem('invalid', [{ ...issue, loc: ['body', 'details'], input: details }])
}

const present = ({ identity }: World, row: ProviderCredentials): Parsed<typeof Credentials> => ({
  id: row.id,
  client_id: row.client_id,
  client_secret_hash: row.client_secret_hash,
  source: row.provider,
  team_id: identity.teamId,
  created_at: toWire(row.created_at),
  updated_at: toWire(row.updated_at),
  details: row.details as Parsed<typeof Details>,
  app_url: null,
  redirect_url_override: row.redirect_url_override,
})
