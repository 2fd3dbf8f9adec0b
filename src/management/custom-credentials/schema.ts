import * as z from 'zod'
import { maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { oauthSlugs } from '../../resources/link/slugs.ts'
import { labSlugs, providerSlugs } from '../../resources/providers/schema.ts'
import { webUrl } from '../../webhooks/fields.ts'
import { Details } from './details.ts'

const labPartners = ['aftership', 'shippo', 'sanocardio', 'supera', 'twilio', 'telnyx', 'mtl'] as const
const appointmentProviders = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const

/** The providers and laboratories a team can have its own credentials for. Source: contract/management.json. */
const sources = [
  ...new Set([...providerSlugs, ...labSlugs, ...labPartners, ...appointmentProviders]),
] as unknown as readonly [string, ...string[]]

const moment = () => z.iso.datetime({ offset: true })

/** Credentials with a digest in place of the secret. */
export const Credentials = schema('TeamProviderCredentials', () =>
  z.object({
    id: z.uuid(),
    client_id: z.string().nullable(),
    client_secret_hash: z.string().nullable(),
    source: z.enum(sources),
    team_id: z.uuid(),
    created_at: moment(),
    updated_at: moment(),
    details: Details().nullable(),
    app_url: z.string().nullable(),
    redirect_url_override: z.string().nullable(),
  }),
)

export const CredentialsPage = schema('TeamProviderCredentialsPage', () =>
  z.object({ credentials: z.array(Credentials()), next_cursor: z.string().nullable() }),
)

export const CredentialsInput = schema('TeamProviderCredentialsInput', () =>
  z.object({
    team_id: uuid(),
    provider: oneOf(sources),
    client_id: maybe(text()),
    client_secret: maybe(text()),
    details: maybe(Details()),
    redirect_url_override: maybe(webUrl()),
  }),
)

export const CredentialsQuery = unnamed(() =>
  z.object({
    next_cursor: maybe(text()),
    provider: maybe(oneOf([...oauthSlugs, ...labSlugs, 'freestyle_libre'])),
    team_id: z.array(uuid()).default([]),
  }),
)

export const CredentialsChoice = unnamed(() => z.object({ credential_id: z.array(uuid()) }))

export const CredentialsDeleted = schema('TeamProviderCredentialsDeleted', () =>
  z.object({ success: z.array(z.uuid()), failure: z.array(z.uuid()), not_found: z.array(z.uuid()) }),
)

export const PreparationInput = schema('CredentialPreparationInput', () =>
  z.object({ team_id: uuid(), provider: oneOf([...providerSlugs, ...labSlugs]) }),
)

export const Preparation = schema('CredentialPreparation', () =>
  z.object({
    status: z.enum(['no_action_needed', 'preparations_required']),
    preparation_steps: z.array(
      z.object({
        type: z.enum(['redirect_uri', 'webhook_uri', 'iam_principal']),
        key: z.string().nullable(),
        value: z.string(),
        description: z.string().nullable(),
      }),
    ),
  }),
)
