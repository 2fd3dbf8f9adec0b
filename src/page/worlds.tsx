import { useSignal } from '@preact/signals'
import { call } from './api.ts'
import { closeDialog, Dialog, openDialog } from './dialog.tsx'
import { Check, Form, TextField, useForm } from './forms.tsx'
import type { World } from './responses.ts'
import { attempt, readWorlds, switchTo, world, worlds } from './store.ts'
import { countOf } from './words.ts'

const keyEnd = ({ api_key }: World) => `…${api_key.slice(-5)}`

/** Which world the page is about. */
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
        <Worlds current={current} />
      </Dialog>
    </>
  )
}

function Worlds({ current }: { current: World }) {
  return (
    <>
      <ul class="worlds">
        {worlds.value.map((each) => (
          <li key={each.team_id}>
            <button
              type="button"
              aria-current={each.team_id === current.team_id ? 'true' : undefined}
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
        ))}
      </ul>
      <NewWorld />
      <EndWorld current={current} />
    </>
  )
}

function NewWorld() {
  const form = useForm('world', { name: '', seed: '', scenario: '', webhook_url: '' })
  const isFrozen = useSignal(true)
  const make = async () => {
    const given = Object.entries(form.values).filter(([, value]) => value !== '')
    const made = await attempt('Creating the world', () =>
      call<World>('POST', '/_petri/worlds', { frozen: isFrozen.value, ...Object.fromEntries(given) }),
    )
    if (!made) return
    form.clear()
    closeDialog()
    await switchTo(made.api_key)
  }
  return (
    <Form onSubmit={make}>
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

/** Reset and drop ask for the world's name, since nothing brings back what they take away. */
function EndWorld({ current }: { current: World }) {
  const form = useForm('end-world', { name: '' })
  const isSure = form.values.name === current.name
  const end = async (title: string, method: string, path: string) => {
    const ended = await attempt(title, async () => {
      await call(method, path)
      return true
    })
    if (!ended) return
    form.clear()
    closeDialog()
  }
  return (
    <div class="row">
      <TextField label={`Type “${current.name}” to reset or drop it`} {...form.bind('name')} />
      <button type="button" disabled={!isSure} onClick={() => void end('The reset', 'POST', '/_petri/reset')}>
        Reset
      </button>
      <button
        type="button"
        class="danger"
        disabled={!isSure}
        onClick={() => void end('Dropping the world', 'DELETE', `/_petri/worlds/${current.team_id}`)}
      >
        Drop
      </button>
    </div>
  )
}
