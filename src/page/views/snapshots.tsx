import { useSignal } from '@preact/signals'
import { readableInstant } from '../../kernel/readable.ts'
import { send } from '../api.ts'
import { Button, Empty, Panel, saveAs, Table, Title } from '../components.tsx'
import { countOf, numberOf } from '../format.ts'
import { Confirm, Form, NamedInput, openDialog, useForm } from '../forms.tsx'
import type { Snapshot, SnapshotList, World } from '../responses.ts'
import { perform, say, useData } from '../store.ts'

const PATH = '/_petri/snapshots'
const pathOf = (name: string) => `${PATH}/${encodeURIComponent(name)}`

/** Named states of this world. */
export function SnapshotsView() {
  const { body } = useData<SnapshotList>(PATH)
  const form = useForm('snapshot', { name: '' })
  const restoring = useSignal<Snapshot | undefined>(undefined)
  const snapshots = body?.data ?? []
  return (
    <>
      <Title title="Snapshots" note="all of this world, including its clock" shows={PATH}>
        <Form
          errors={form.errors}
          class="inline"
          onSubmit={() => form.send('Saving the snapshot', 'PUT', pathOf(form.values.name))}
        >
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
        <Button onClick={exportState}>Export</Button>
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
        <Empty line="npx petri-sandbox snapshot save before">
          No snapshot yet. Save one before you try something, and restore it as often as you like.
        </Empty>
      )}
      {body?.unreadable.map(({ name, reason }) => (
        <p key={name} class="error">{`${name} cannot be read: ${reason}`}</p>
      ))}
      {snapshots.length > 0 && (
        <Panel title="Snapshots">
          <Table
            label="Snapshots"
            columns={[['Name', 'person'], ['Clock'], ['Rows', 'num'], ['', 'act']]}
            rows={snapshots}
            keyOf={({ name }) => name}
            cells={(snapshot) => [
              snapshot.name,
              readableInstant(snapshot.at),
              numberOf(snapshot.rows),
              <>
                <Button
                  class="small"
                  onClick={() => {
                    restoring.value = snapshot
                    openDialog('restore')
                  }}
                >
                  Restore
                </Button>{' '}
                <Button
                  class="small danger"
                  onClick={() => perform('Deleting the snapshot', 'DELETE', pathOf(snapshot.name))}
                >
                  Delete
                </Button>
              </>,
            ]}
          />
        </Panel>
      )}
      {restoring.value && <Restore snapshot={restoring.value} />}
    </>
  )
}

/** Names what is lost before it is. */
function Restore({ snapshot: { name, at } }: { snapshot: Snapshot }) {
  const { body: world } = useData<World>('/_petri/world')
  const { orders = 0, users = 0 } = world?.counts ?? {}
  return (
    <Confirm
      name="restore"
      title={`Restore ${name}`}
      action="Restore"
      onConfirm={() => perform('Restoring the snapshot', 'POST', `${pathOf(name)}/restore`)}
    >
      The world goes back to {readableInstant(at)}. Its current state is lost: {countOf(orders, 'order')},{' '}
      {countOf(users, 'user')} and everything that has happened since.
    </Confirm>
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
  await perform('The import', 'PUT', '/_petri/state', await file.text())
  input.value = ''
}
