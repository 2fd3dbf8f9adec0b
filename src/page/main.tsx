import { type ComponentChildren, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty, Link, Title } from './components.tsx'
import { Form, TextField } from './forms.tsx'
import { followAddress, segments } from './navigation.ts'
import { Shell } from './shell.tsx'
import { opened, start, startTicking, unlock, world } from './store.ts'
import { CoverageView } from './views/coverage.tsx'
import { FaultsView } from './views/faults.tsx'
import { OrderView } from './views/order.tsx'
import { OrdersView } from './views/orders.tsx'
import { ReferenceView } from './views/reference.tsx'
import { RequestsView } from './views/requests.tsx'
import { ScenariosView } from './views/scenarios.tsx'
import { applyTheme, SettingsView } from './views/settings.tsx'
import { SnapshotsView } from './views/snapshots.tsx'
import { UsersView, UserView } from './views/users.tsx'
import { WebhooksView } from './views/webhooks.tsx'

const views: Readonly<Record<string, (id: string | undefined) => ComponentChildren>> = {
  orders: (id) => (id ? <OrderView key={id} id={id} /> : <OrdersView />),
  users: (id) => (id ? <UserView key={id} id={id} /> : <UsersView />),
  webhooks: (id) => <WebhooksView id={id} />,
  requests: (id) => <RequestsView id={id} />,
  scenarios: (id) => <ScenariosView name={id} />,
  faults: () => <FaultsView />,
  coverage: () => <CoverageView />,
  snapshots: () => <SnapshotsView />,
  api: (id) => <ReferenceView id={id} />,
  settings: () => <SettingsView />,
}

function App() {
  const result = opened.value
  if (result && 'refusal' in result) return <Unlock refusal={result.refusal} />
  if (!world.value) return <p class="opening">Opening… Petri has not answered yet.</p>
  const [view = '', id] = segments.value
  return (
    <Shell>
      <View key={`${world.value.team_id}/${view}`} view={view} id={id} />
    </Shell>
  )
}

const View = ({ view, id }: { view: string; id: string | undefined }) =>
  Object.hasOwn(views, view) ? (
    views[view]?.(id)
  ) : (
    <>
      <Title title="Nothing is here" />
      <Empty>
        There is no view “{view}”. Start with <Link to="/orders">Orders</Link>.
      </Empty>
    </>
  )

/** Asks for credentials. */
function Unlock({ refusal }: { refusal: string }) {
  const [text, setText] = useState('')
  useEffect(() => {
    document.querySelector('input')?.focus()
  }, [])
  const isKey = /^(sk|pk)_/.test(text)
  return (
    <main class="unlock">
      <h1>Petri</h1>
      <p>{refusal}</p>
      <Form onSubmit={() => (isKey ? unlock(text, undefined) : unlock(undefined, text))}>
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
      <p class="dim">It stays in this tab and is sent only to this Petri.</p>
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
