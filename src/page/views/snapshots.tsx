import { useSignal } from '@preact/signals'
import { call, send } from '../api.ts'
import { useData } from '../data.ts'
import { closeDialog, Dialog, openDialog } from '../dialog.tsx'
import { Form, NamedInput, useForm } from '../forms.tsx'
import type { Page, Snapshot, World } from '../responses.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Empty, Panel, Rows, Title } from '../ui.tsx'
import { countOf, stampOf } from '../words.ts'
import { saveAs } from './order-parts.tsx'

const pathOf = (name: string) => `/_petri/snapshots/${encodeURIComponent(name)}`

/** States of this world under a name. */
export function SnapshotsView() {
  const { body } = useData<Page<Snapshot>>('/_petri/snapshots')
  const form = useForm('snapshot', { name: '' })
  const restoring = useSignal<Snapshot | undefined>(undefined)
  const save = async () => {
    if ((await attempt('Saving the snapshot', () => call('PUT', pathOf(form.values.name)))) !== undefined)
      form.clear()
  }
  const snapshots = body?.data ?? []
  return (
    <>
      <Title title="Snapshots" note="all of this world, its clock included" shows="/_petri/snapshots">
        <Form class="inline" onSubmit={save}>
          <NamedInput
            label="Name of a new snapshot"
            placeholder="name of a new snapshot"
            required
            {...form.bind('name')}
          />
          <button type="submit" class="primary">
            Save
          </button>
        </Form>
        <button type="button" onClick={() => void exportState()}>
          Export
        </button>
        <label class="button">
          Import
          <input
            class="sr"
            type="file"
            accept="application/json"
            onChange={(event) => void importState(event.currentTarget)}
          />
        </label>
      </Title>
      {body && snapshots.length === 0 && (
        <Empty line="petri snapshot save before">
          No snapshot yet. Save one before you try something, and go back to it as often as you like.
        </Empty>
      )}
      {snapshots.length > 0 && (
        <Panel title="Snapshots">
          <Rows label="Snapshots" heads={['Name', 'Clock', 'Rows', '']} numbers={['Rows']}>
            {snapshots.map((snapshot) => (
              <tr key={snapshot.name}>
                <td class="person">{snapshot.name}</td>
                <td>{stampOf(snapshot.at)}</td>
                <td class="num">{snapshot.rows.toLocaleString('en')}</td>
                <td class="act">
                  <button
                    type="button"
                    class="small"
                    onClick={() => {
                      restoring.value = snapshot
                      openDialog('restore')
                    }}
                  >
                    Restore
                  </button>{' '}
                  <button
                    type="button"
                    class="small danger"
                    onClick={() =>
                      void attempt('Deleting the snapshot', () => call('DELETE', pathOf(snapshot.name)))
                    }
                  >
                    Delete
                  </button>
                </td>
              </tr>
            ))}
          </Rows>
        </Panel>
      )}
      {restoring.value && <Restore snapshot={restoring.value} />}
    </>
  )
}

/** Names what is lost before anything is. */
const Restore = ({ snapshot }: { snapshot: Snapshot }) => (
  <Dialog name="restore" title={`Restore ${snapshot.name}`}>
    <Losses snapshot={snapshot} />
  </Dialog>
)

function Losses({ snapshot: { name, at } }: { snapshot: Snapshot }) {
  const { body: world } = useData<World>('/_petri/world')
  const restore = async () => {
    closeDialog()
    await attempt('Restoring the snapshot', () => call('POST', `${pathOf(name)}/restore`))
  }
  return (
    <>
      <p>
        The world goes back to {stampOf(at)}. What it holds now is lost:{' '}
        {countOf(world?.counts.orders ?? 0, 'order')}, {countOf(world?.counts.users ?? 0, 'user')} and all
        that has happened since.
      </p>
      <div class="row">
        <button type="button" class="danger" onClick={() => void restore()}>
          Restore
        </button>
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
      </div>
    </>
  )
}

async function exportState(): Promise<void> {
  const response = await send('GET', '/_petri/state')
  if (response.ok) saveAs('petri-state.json', await response.blob())
  else say({ title: 'The export failed', lines: [await response.text()], isError: true })
}

async function importState(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? []
  if (!file) return
  const text = await file.text()
  await attempt('The import', () => call('PUT', '/_petri/state', text))
  input.value = ''
}
