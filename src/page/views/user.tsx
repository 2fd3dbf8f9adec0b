import { useSignal } from '@preact/signals'
import { call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Choice, optionsOf, Select } from '../forms.tsx'
import type { Board, Page, Scenario } from '../responses.ts'
import { attempt, now } from '../store.ts'
import { Copy, Empty, Id, Link, Panel, StatusTag, Title } from '../ui.tsx'
import { shortId } from '../words.ts'
import { Connections } from './connections.tsx'
import { Health } from './health.tsx'

interface User {
  readonly user_id: string
  readonly client_user_id: string
}

/** A user: connections, health data, orders. */
export function UserView({ id }: { id: string }) {
  const { body: user, error } = useData<User>(`/v2/user/${encodeURIComponent(id)}`)
  const days = useSignal('1')
  if (error && !user) return <Empty>{error.message}</Empty>
  if (!user) return null
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <Link to="/users">Users</Link> / <code>{shortId(id)}</code>
      </nav>
      <Title title={user.client_user_id} note={<code class="id">{id}</code>} shows={`/v2/user/${id}`}>
        <Copy text={id}>Copy id</Copy>
        <Choice
          label="Days shown"
          options={[
            ['1', '1 day'],
            ['7', '7 days'],
            ['30', '30 days'],
          ]}
          chosen={days.value}
          onChoose={(value) => {
            days.value = value
          }}
        />
      </Title>
      <div class="cols uneven">
        <div>
          <Health userId={id} days={Number(days.value)} today={now.value.slice(0, 10)} />
        </div>
        <div>
          <Connections userId={id} />
          <OrdersOf userId={id} />
          <ScenarioOf userId={id} />
        </div>
      </div>
    </>
  )
}

function OrdersOf({ userId }: { userId: string }) {
  const { body } = useData<Board>(withQuery('/_petri/orders', { search: userId, limit: 20 }))
  const own = (body?.data ?? []).filter(({ user_id }) => user_id === userId)
  return (
    <Panel title="Orders" aside={<span class="dim">{own.length}</span>}>
      {own.length === 0 && <p class="quiet">None yet.</p>}
      <table class="rows tight">
        <tbody>
          {own.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to={`/orders/${row.id}`}>
                  <Id id={row.id} />
                </Link>
              </td>
              <td>{row.lab_test}</td>
              <td>
                <StatusTag status={row.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** The scenario this user's next orders follow. */
function ScenarioOf({ userId }: { userId: string }) {
  const { body: list } = useData<Page<Scenario>>('/_petri/scenarios', false)
  const set = (scenario: string) =>
    attempt('Choosing the scenario', () =>
      call('PUT', `/_petri/users/${userId}/scenario`, { scenario: scenario || null }),
    )
  return (
    <Panel title="Scenario of the next orders">
      <Select
        label="Scenario of the next orders"
        value=""
        options={[['', "the world's"], ...optionsOf((list?.data ?? []).map(({ name }) => name))]}
        onChange={(chosen) => void set(chosen)}
      />
    </Panel>
  )
}
