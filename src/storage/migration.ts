import { yaml } from '../kernel/yaml.ts'
import type { Tables } from './rows.ts'

/** Changes all rows of the former format to the current one. Nothing else knows the former names. */
export function migrate(tables: Tables): void {
  dropEtlFolders(tables)
  renameWebhookFaults(tables)
}

/** ETL targets had a URL or a folder. One with a folder is removed, with the events that wait for it. */
function dropEtlFolders(tables: Tables): void {
  const targets = tables.get('etl_target') ?? new Map<string, string>()
  for (const [id, text] of targets) {
    const { folder, ...target } = JSON.parse(text)
    if (folder === null) targets.set(id, JSON.stringify(target))
    else {
      targets.delete(id)
      tables.get('etl_outbox')?.clear()
      const jobs = tables.get('jobs') ?? new Map<string, string>()
      for (const [job, of] of jobs) if (JSON.parse(of).kind === 'etl.deliver') jobs.delete(job)
    }
  }
}

/** The key `webhooks` of stored scenarios is `webhook_faults`. */
function renameWebhookFaults(tables: Tables): void {
  for (const name of ['shared_scenarios', 'uploaded_scenarios']) {
    const scenarios = tables.get(name) ?? new Map<string, string>()
    for (const [id, text] of scenarios) {
      const row = JSON.parse(text)
      scenarios.set(id, JSON.stringify({ ...row, source: withWebhookFaults(row.source) }))
    }
  }
}

/** Only the key is changed; the rest of the text, with its comments, stays as it was written. */
function withWebhookFaults(source: string): string {
  const { isMap, isScalar, parseDocument } = yaml()
  const { contents } = parseDocument(source)
  const keys = isMap(contents) ? contents.items.map(({ key }) => key) : []
  const key = keys.find((each) => isScalar(each) && each.value === 'webhooks')
  if (!isScalar(key) || !key.range) return source
  const [start, end] = key.range
  return (
    source.slice(0, start) +
    source.slice(start, end).replace('webhooks', 'webhook_faults') +
    source.slice(end)
  )
}
