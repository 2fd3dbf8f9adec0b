import { useSignal } from '@preact/signals'
import { call } from './api.ts'
import { Button } from './components.tsx'
import { countOf } from './format.ts'
import { Check, closeDialog, Dialog, Form, openDialog, TextField, useForm } from './forms.tsx'
import type { World } from './responses.ts'
import { attempt, readWorlds, switchTo, world, worlds } from './store.ts'

const keyEnd = ({ api_key }: World) => `…${api_key.slice(-5)}`

/** Shows the current world and opens another. */
export function WorldSwitcher() {
  const current = world.value
  if (!current) return null
  return (
    <>
      <button
        type="button"
        class="world"
        aria-haspopup="dialog"
        onClick={() => {
          openDialog('worlds')
          void attempt('Reading the worlds', readWorlds)
        }}
      >
        <b>{current.name}</b> <small>{keyEnd(current)}</small>
      </button>
      <Dialog name="worlds" title="Worlds">
        <ul class="worlds">
          {worlds.value.map((each) => (
            <WorldItem key={each.team_id} each={each} isCurrent={each.team_id === current.team_id} />
          ))}
        </ul>
        <NewWorld />
        <EndWorld current={current} />
      </Dialog>
    </>
  )
}

const WorldItem = ({ each, isCurrent }: { each: World; isCurrent: boolean }) => (
  <li>
    <button
      type="button"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => {
        closeDialog()
        void switchTo(each.api_key)
      }}
    >
      <b>{each.name}</b> <small>{keyEnd(each)}</small>
      <small>
        {countOf(each.counts.orders ?? 0, 'order')}, {countOf(each.counts.users ?? 0, 'user')}
      </small>
    </button>
  </li>
)

function NewWorld() {
  const form = useForm('world', { name: '', seed: '', scenario: '', webhook_url: '' })
  const isFrozen = useSignal(true)
  const create = async () => {
    const given = Object.entries(form.values).filter(([, value]) => value !== '')
    const body = { frozen: isFrozen.value, ...Object.fromEntries(given) }
    const created = await form.send<World>('Creating the world', 'POST', '/_petri/worlds', body)
    if (created) await switchTo(created.api_key)
  }
  return (
    <Form errors={form.errors} onSubmit={create}>
      <h3>New world</h3>
      <div class="row">
        <TextField label="Name" {...form.bind('name')} />
        <TextField label="Seed" {...form.bind('seed')} />
        <TextField label="Scenario" placeholder="happy-path" {...form.bind('scenario')} />
        <TextField label="Webhook URL" type="url" {...form.bind('webhook_url')} />
        <Check
          checked={isFrozen.value}
          onChange={(checked) => {
            isFrozen.value = checked
          }}
        >
          Frozen clock
        </Check>
        <button type="submit">Create</button>
      </div>
    </Form>
  )
}

/** Reset and delete ask for the world's name, since they cannot be undone. */
function EndWorld({ current }: { current: World }) {
  const form = useForm('end-world', { name: '' })
  const isUnsure = form.values.name !== current.name
  const end = (title: string, method: string, path: string) =>
    attempt(title, async () => {
      await call(method, path)
      form.clear()
      closeDialog()
    })
  return (
    <div class="row">
      <TextField label={`Type “${current.name}” to reset or delete it`} {...form.bind('name')} />
      <Button disabled={isUnsure} onClick={() => end('The reset', 'POST', '/_petri/reset')}>
        Reset
      </Button>
      <Button
        class="danger"
        disabled={isUnsure}
        onClick={() => end('Deleting the world', 'DELETE', `/_petri/worlds/${current.team_id}`)}
      >
        Delete
      </Button>
    </div>
  )
}
