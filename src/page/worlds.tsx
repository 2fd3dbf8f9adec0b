import { useSignal } from '@preact/signals'
import type { World } from './answers.ts'
import { call } from './api.ts'
import { Dialog, Field, useDraft } from './forms.tsx'
import { attempt, readWorlds, switchTo, world, worlds } from './store.ts'
import { countOf } from './words.ts'

const keyEnd = ({ api_key }: World) => `…${api_key.slice(-5)}`

/** Which world the page is about. */
export function WorldSwitcher() {
  const isOpen = useSignal(false)
  const current = world.value
  if (!current) return null
  return (
    <>
      <button
        type="button"
        class="world"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true
          void attempt('Reading the worlds', readWorlds)
        }}
      >
        <b>{current.name}</b> <small>{keyEnd(current)}</small>
      </button>
      {isOpen.value && (
        <WorldsDialog
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function WorldsDialog({ onClose }: { onClose: () => void }) {
  const current = world.value
  return (
    <Dialog title="Worlds" onClose={onClose}>
      <ul class="worlds">
        {worlds.value.map((each) => (
          <li key={each.team_id}>
            <button
              type="button"
              aria-current={each.team_id === current?.team_id ? 'true' : undefined}
              onClick={() => {
                onClose()
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
      <NewWorld onMade={onClose} />
      {current && <EndWorld current={current} onDone={onClose} />}
    </Dialog>
  )
}

function NewWorld({ onMade }: { onMade: () => void }) {
  const name = useDraft('world', '')
  const isFrozen = useSignal(true)
  const make = async (event: Event) => {
    event.preventDefault()
    const made = await attempt('Making the world', () =>
      call<World>('POST', '/_petri/worlds', { name: name.value || 'Petri', frozen: isFrozen.value }),
    )
    if (!made) return
    name.clear()
    onMade()
    await switchTo(made.api_key)
  }
  return (
    <form class="row" onSubmit={(event) => void make(event)}>
      <Field label="New world">
        <input
          placeholder="name"
          value={name.value}
          onInput={(event) => name.set(event.currentTarget.value)}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={isFrozen.value}
          onChange={(event) => {
            isFrozen.value = event.currentTarget.checked
          }}
        />{' '}
        frozen clock
      </label>
      <button type="submit">Make</button>
    </form>
  )
}

/** Reset and drop ask for the world's name, since nothing brings back what they take away. */
function EndWorld({ current, onDone }: { current: World; onDone: () => void }) {
  const typed = useSignal('')
  const isSure = typed.value === current.name
  const end = async (title: string, act: () => Promise<unknown>) => {
    if ((await attempt(title, act)) !== undefined || title === 'Dropping') onDone()
  }
  return (
    <div class="row">
      <Field label={`Type “${current.name}” to reset or drop it`}>
        <input
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
        />
      </Field>
      <button
        type="button"
        disabled={!isSure}
        onClick={() => void end('The reset', () => call('POST', '/_petri/reset'))}
      >
        Reset
      </button>
      <button
        type="button"
        class="danger"
        disabled={!isSure}
        onClick={() => void end('Dropping', () => call('DELETE', `/_petri/worlds/${current.team_id}`))}
      >
        Drop
      </button>
    </div>
  )
}
