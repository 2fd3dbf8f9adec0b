import type { Tables } from './rows.ts'

/** Changes all rows of the former format to the current one. Nothing else knows the former names. */
export function migrate(tables: Tables): void {
  dropEtlFolders(tables)
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
