import { LabAccountSeed, PayorSeed, ProviderSeed } from '../../resources/catalogue/schema.ts'
import { completeFile, listOf, pick, type Recorder, validRow, type Wire } from './seed-rows.ts'

/** Records the lab accounts that a team may order with. */
export const recordLabAccounts: Recorder = async (replies, bundled, leftOut) => {
  const reply: Wire = await replies.get('/v3/lab_test/lab_account', { list: 'data' })
  const accounts = listOf(reply?.data)
  const rows = accounts.flatMap((account, at) => {
    const { id, lab, org_id, team_id_allowlist } = account ?? {}
    const isLinked = listOf(team_id_allowlist).length > 0
    return validRow(leftOut, `lab account ${id}`, LabAccountSeed, {
      ...pick(account, 'id', 'lab', 'status', 'delegated_flow', 'provider_account_id', 'account_name'),
      ...pick(account, 'default_clinical_notes', 'business_units', 'allowed_billing'),
      slug: `${String(lab).replaceAll('_', '-')}-${at + 1}`,
      platform: org_id === null && !isLinked,
      linked: isLinked,
      // The service uses the first of a laboratory for orders that name none.
      automatic: accounts.findIndex((each) => each?.lab === lab) === at,
    })
  })
  // What the service does for laboratories whose accounts it does not list.
  const unlisted = [...bundled.labAccounts().values()].filter(({ unlisted }) => unlisted)
  return [completeFile('lab-accounts', [...rows, ...unlisted])]
}

/** Records how providers are listed. */
export const recordProviders: Recorder = async (replies, _, leftOut) => {
  const rows = listOf(await replies.get('/v2/providers', { list: '' })).flatMap((provider) => {
    const row = {
      ...pick(provider, 'slug', 'name', 'description', 'logo', 'auth_type'),
      resources: provider?.supported_resources,
    }
    return validRow(leftOut, `provider ${provider?.slug}`, ProviderSeed, row)
  })
  return [completeFile('providers', rows)]
}

/** Records the payors that a search without a name finds. */
export const recordPayors: Recorder = async (replies, bundled, leftOut) => {
  const reply = await replies.get('/v3/insurance/search/payor', { list: '', mayBeRefused: true })
  if (reply === undefined) {
    leftOut.push('payors: the service lists none without a name')
    return []
  }
  const rows = listOf(reply).flatMap((payor) => {
    const own = bundled.payors().get(payor?.payor_code)
    return validRow(leftOut, `payor ${payor?.payor_code}`, PayorSeed, {
      ...pick(payor, 'payor_code', 'name', 'source', 'aliases'),
      org_address: pick(payor?.org_address, 'first_line', 'second_line', 'city', 'state', 'zip', 'country'),
      program: own?.program || undefined,
      state: own?.state || undefined,
    })
  })
  return [completeFile('payors', rows)]
}
