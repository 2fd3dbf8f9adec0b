import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Form, TextField } from './forms.tsx'
import { followAddress, segments } from './route.ts'
import { Shell } from './shell.tsx'
import { opened, start, startTicking, unlock, world } from './store.ts'
import { applyTheme } from './theme.ts'
import { ViewOf } from './views/index.tsx'

function App() {
  const result = opened.value
  if (result && 'refusal' in result) return <Unlock refusal={result.refusal} />
  if (!world.value) return <p class="opening">Opening… Petri has not answered yet.</p>
  const [place = '', id] = segments.value
  return (
    <Shell>
      <ViewOf key={`${world.value.team_id}/${place}`} place={place} id={id} />
    </Shell>
  )
}

/** Asks for what opens a world. */
function Unlock({ refusal }: { refusal: string }) {
  const [text, setText] = useState('')
  useEffect(() => {
    document.querySelector('input')?.focus()
  }, [])
  const isToken = !/^(sk|pk)_/.test(text)
  const submit = () => unlock(isToken ? undefined : text, isToken ? text : undefined)
  return (
    <main class="unlock">
      <h1>Petri</h1>
      <p>{refusal}</p>
      <Form onSubmit={submit}>
        <TextField
          label="API key of a world, or the control token"
          type="password"
          autocomplete="off"
          value={text}
          onChange={(typed) => setText(typed.trim())}
        />
        <button type="submit" class="primary" disabled={text === ''}>
          Open
        </button>
      </Form>
      <p class="dim">It stays in this tab and is sent to nobody but this Petri.</p>
    </main>
  )
}

const root = document.getElementById('app')
if (root) {
  applyTheme()
  followAddress()
  root.replaceChildren()
  render(<App />, root)
  startTicking()
  void start()
}
