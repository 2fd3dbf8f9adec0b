import type { JsonObject } from '../../kernel/json.ts'
import { Button, Facts, Panel, StatusTag, Table } from '../components.tsx'
import { countOf, numberOf, relativeTo } from '../format.ts'
import type { MobileState } from '../responses.ts'
import { now, perform, useData } from '../store.ts'

type Sync = MobileState['syncs'][number]

/** The apps in which a user is signed in, and what they have uploaded; nothing for a user without any. */
export function Phones({ userId }: { userId: string }) {
  const { body } = useData<MobileState>(`/_petri/users/${userId}/mobile`)
  if (!body || (body.sessions === 0 && body.syncs.length === 0)) return null
  const signOut = () => perform('Revoking the sessions', 'DELETE', `/_petri/users/${userId}/mobile_sessions`)
  return (
    <Panel
      title="Phones"
      aside={
        <>
          <span class="dim">{countOf(body.sessions, 'app')} signed in </span>
          {body.sessions > 0 && (
            <Button class="small danger" onClick={signOut}>
              Revoke
            </Button>
          )}
        </>
      }
    >
      {body.syncs.map((sync) => (
        <SyncOf key={sync.provider} sync={sync} />
      ))}
    </Panel>
  )
}

function SyncOf({ sync }: { sync: Sync }) {
  const { provider, status, report, reported_at } = sync
  return (
    <>
      <p>
        <b>{provider.replaceAll('_', ' ')}</b> <StatusTag status={status} tone={tones[status]} />
      </p>
      <Facts
        facts={[
          ['Device', deviceOf(report)],
          ['Last report', reported_at && relativeTo(reported_at, now.value)],
        ]}
      />
      <Table
        label={`Uploads of ${provider}`}
        empty="No upload yet."
        columns={[['Resource', 'mono'], ['Items', 'num'], ['Last upload'], ['History']]}
        rows={rowsOf(sync)}
        keyOf={({ resource }) => resource}
        cells={({ resource, items, lastAt, history }) => [
          resource,
          numberOf(items),
          lastAt && relativeTo(lastAt, now.value),
          history && <StatusTag status={history} tone={history === 'complete' ? 'completed' : 'attention'} />,
        ]}
      />
    </>
  )
}

const tones: Readonly<Record<Sync['status'], string>> = {
  active: 'completed',
  paused: 'attention',
  error: 'failed',
}

/** Uploads and announcements, by resource. */
function rowsOf({ uploads, stages }: Sync) {
  const resources = new Set([...uploads, ...stages].map(({ resource }) => resource))
  return [...resources].sort().map((resource) => {
    const upload = uploads.find((each) => each.resource === resource)
    const stage = stages.find((each) => each.resource === resource)
    return {
      resource,
      items: upload?.items ?? 0,
      lastAt: upload?.last_at,
      history: stage && (stage.ended_at ? 'complete' : 'incomplete'),
    }
  })
}

/** The model and the versions in the last report of an SDK. */
function deviceOf(report: Sync['report']): string {
  const info = (report?.device_info ?? {}) as JsonObject
  return [info.model, info.os_version, info.app_version].filter(Boolean).join(', ')
}
