import * as z from 'zod'
import { boolean, mapOf, maybe, oneOf, text } from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { billingTypes } from '../../resources/catalogue/schema.ts'

const account = () => ({
  sub_account_id: maybe(text()),
  sub_account_name: maybe(text()),
  allowed_billing_types: maybe(z.array(oneOf(billingTypes))),
  disallowed_billing_states: maybe(mapOf(billingTypes, z.array(text()))),
})

/** Fields a provider needs besides client id and secret. Source: contract/management.json. */
export const Details = schema('ProviderCredentialDetails', () =>
  z.union([
    z.object({
      fitbit: z.object({
        is_hr_enabled: boolean().default(false),
        workout_verify_token: text(),
        sleep_verify_token: text(),
        body_verify_token: text(),
        foods_verify_token: maybe(text()),
      }),
    }),
    z.object({ redirect_uri: text(), data_scopes: z.array(text()) }),
    z.strictObject({ project_number: text(), service_account_email: text() }),
    z.object({ ...account(), bioreference: z.record(z.string(), z.unknown()) }),
    z.object({
      ...account(),
      labcorp: z.object({ account_number: text(), billing_method: oneOf(['CM', 'PT', 'PI']) }),
    }),
    z.object({
      ...account(),
      quest: z.record(z.string(), z.unknown()),
      allowed_business_units: maybe(z.array(text())),
    }),
    z.object({ webhook_secret: text() }),
    z.object({ getlabs: z.object({ webhook_secret_key: text(), webhook_secret_token: text() }) }),
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
    z.object({
      ...account(),
      sending_facility: text(),
      sending_application: text(),
      receiving_facility: text(),
      receiving_application: text(),
    }),
    z.object({ client: text() }),
  ]),
)

/** By provider, the allowed fields of `details`, of which one is required; other providers take none. */
export const detailFields: Readonly<Record<string, readonly string[]>> = {
  fitbit: ['fitbit'],
  google_fit: ['redirect_uri'],
  google_health: ['project_number'],
  bioreference: ['bioreference'],
  labcorp: ['labcorp', 'sending_facility'],
  quest: ['quest'],
  polar: ['webhook_secret'],
  getlabs: ['getlabs'],
  phlebfinders: ['phlebfinders'],
  my_fitness_pal_v2: ['client'],
}
