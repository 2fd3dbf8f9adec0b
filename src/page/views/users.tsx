import { useSignal } from '@preact/signals'
import { asCurl, withQuery } from '../api.ts'
import {
  Button,
  bound,
  Choice,
  Copy,
  Crumbs,
  Dim,
  Empty,
  Id,
  Link,
  OrderLink,
  optionsOf,
  Panel,
  StatusTag,
  Table,
  Time,
  Title,
} from '../components.tsx'
import { numberOf } from '../format.ts'
import { Form, NamedInput, SearchBy, Select, useForm } from '../forms.tsx'
import { go, parameter, setQuery } from '../navigation.ts'
import type { BoardRow, User, UserSummaries } from '../responses.ts'
import { now, perform, useData, useList, useScenarios, world } from '../store.ts'
import { CheckoutsOf } from './checkout.tsx'
import { Connections } from './connections.tsx'
import { Health } from './health.tsx'
import { Interpretation } from './orders.tsx'
import { PersonOf } from './person.tsx'
import { Phones } from './phones.tsx'

const PAGE_SIZE = 100

/** The users of this world. */
export function UsersView() {
  const q = parameter('q')
  const offset = Number(parameter('offset'))
  const path = withQuery('/_petri/users', { search: q, limit: PAGE_SIZE, offset: offset || undefined })
  const { body } = useData<UserSummaries>(path)
  const { data: users = [], total } = body ?? {}
  return (
    <>
      <Title
        title="Users"
        note={total !== undefined && `${numberOf(total)} ${q ? 'found' : 'in this world'}`}
        shows={path}
      >
        <SearchBy name="q" label="Search users" placeholder="name or id…" />
        <NewUser />
      </Title>
      {total === 0 && q && <Empty>No user has “{q}” in a name, id, e-mail or phone number.</Empty>}
      {total === 0 && !q && (
        <Empty line={asCurl('POST', '/v2/user', { client_user_id: 'ada' })}>
          No user yet. Your program creates one with POST /v2/user.
        </Empty>
      )}
      {total !== undefined && total > 0 && (
        <Panel title="Users">
          <Table
            label="Users"
            columns={[
              ['Name', 'person'],
              ['Client user id', 'person'],
              ['User id'],
              ['Since'],
              ['Orders', 'num'],
              ['Connections', 'wraps'],
            ]}
            rows={users}
            keyOf={({ user_id }) => user_id}
            cells={({ user_id, client_user_id, name, created_on, orders, providers }) => [
              <Link to={`/users/${user_id}`} data-row="">
                {name ?? client_user_id}
              </Link>,
              client_user_id,
              <Id id={user_id} />,
              <Time at={created_on} />,
              orders,
              providers.join(', ') || <Dim>none</Dim>,
            ]}
          />
          <PageButtons offset={offset} total={total} />
        </Panel>
      )}
    </>
  )
}

const PageButtons = ({ offset, total }: { offset: number; total: number }) =>
  total <= PAGE_SIZE ? null : (
    <p class="quiet row">
      <Button
        disabled={offset === 0}
        onClick={() => setQuery({ offset: String(Math.max(0, offset - PAGE_SIZE)) })}
      >
        Previous
      </Button>
      {offset + 1} to {Math.min(total, offset + PAGE_SIZE)} of {total}
      <Button
        disabled={offset + PAGE_SIZE >= total}
        onClick={() => setQuery({ offset: String(offset + PAGE_SIZE) })}
      >
        Next
      </Button>
    </p>
  )

function NewUser() {
  const form = useForm('user', { name: '' })
  const create = async () => {
    const body = { client_user_id: form.values.name }
    const created = await form.send<User>('Creating the user', 'POST', '/v2/user', body)
    if (created) go(`/users/${created.user_id}`)
  }
  return (
    <Form class="inline" errors={form.errors} onSubmit={create}>
      <NamedInput
        label="Name of a new user"
        placeholder="name of a new user"
        required
        {...form.bind('name')}
      />
      <button type="submit">Create</button>
    </Form>
  )
}

/** A user: connections, health data, orders. */
export function UserView({ id }: { id: string }) {
  const path = `/v2/user/${encodeURIComponent(id)}`
  const { body: user, error } = useData<User>(path)
  const days = useSignal('1')
  const { body: known } = useData<UserSummaries>(withQuery('/_petri/users', { ids: id, limit: 1 }))
  const name = known?.data[0]?.name
  if (error && !user) return <Empty>{error.message}</Empty>
  if (!user) return null
  return (
    <>
      <Crumbs to="/users" title="Users" id={id} />
      <Title
        title={name ?? user.client_user_id}
        note={
          <>
            {name && `${user.client_user_id} · `}
            <code class="id">{id}</code>
          </>
        }
        shows={path}
      >
        <Copy text={id}>Copy id</Copy>
        <Choice
          label="Days shown"
          options={[
            ['1', '1 day'],
            ['7', '7 days'],
            ['30', '30 days'],
          ]}
          {...bound(days)}
        />
      </Title>
      <div class="cols uneven">
        <div>
          <OrdersOf userId={id} />
          <Health userId={id} days={Number(days.value)} today={now.value.slice(0, 10)} />
        </div>
        <div>
          <PersonOf userId={id} today={now.value.slice(0, 10)} />
          <Connections userId={id} />
          <Phones userId={id} />
          <CheckoutsOf userId={id} />
          <ScenarioOf userId={id} scenario={known?.data[0]?.scenario ?? ''} />
        </div>
      </div>
    </>
  )
}

function OrdersOf({ userId }: { userId: string }) {
  const found = useList<BoardRow>(withQuery('/_petri/orders', { search: userId, limit: 20 }))
  const own = found.filter(({ user_id }) => user_id === userId)
  return (
    <Panel title="Orders" note={own.length}>
      <Table
        empty="None yet."
        columns={[[''], [''], ['']]}
        rows={own}
        keyOf={({ id }) => id}
        cells={({ id, lab_test, status, interpretation }) => [
          <OrderLink id={id} row />,
          lab_test,
          <>
            <StatusTag status={status} /> <Interpretation of={interpretation} />
          </>,
        ]}
      />
    </Panel>
  )
}

function ScenarioOf({ userId, scenario }: { userId: string; scenario: string }) {
  const scenarios = useScenarios()
  const path = `/_petri/users/${userId}/scenario`
  return (
    <Panel title="Scenario of the next orders">
      <Select
        label="Scenario of the next orders"
        value={scenario}
        options={[
          ['', `as all orders of this world: ${world.value?.scenario}`],
          ...optionsOf(scenarios.map(({ name }) => name)),
        ]}
        onChange={(chosen) =>
          void perform('Choosing the scenario', 'PUT', path, { scenario: chosen || null })
        }
      />
    </Panel>
  )
}
