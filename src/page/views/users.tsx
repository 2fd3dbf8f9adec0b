import { asCurl, call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Form, NamedInput, Search, useForm } from '../forms.tsx'
import { go, query, setQuery } from '../route.ts'
import { attempt } from '../store.ts'
import { Empty, Id, Link, Panel, Rows, Title } from '../ui.tsx'
import { stampOf } from '../words.ts'

interface User {
  readonly user_id: string
  readonly client_user_id: string
  readonly created_on: string
  readonly connected_sources?: readonly {
    readonly source: { readonly slug: string; readonly name: string }
  }[]
}

const SIZE = 100

/** The users of this world. */
export function UsersView() {
  const q = query.value.get('q') ?? ''
  const offset = Number(query.value.get('offset') ?? 0)
  const page = { limit: SIZE, offset }
  const path = q ? withQuery('/v2/user/search', { search_input: q, ...page }) : withQuery('/v2/user', page)
  const { body } = useData<{ users: User[]; total: number }>(path)
  const shown = body?.users ?? []
  return (
    <>
      <Title
        title="Users"
        note={body && `${body.total.toLocaleString('en')} ${q ? 'found' : 'in this world'}`}
        shows={path}
      >
        <Search
          label="Search users"
          placeholder="name or id…"
          value={q}
          onChange={(text) => setQuery({ q: text, offset: '' })}
        />
        <NewUser />
      </Title>
      {body?.total === 0 && q && <Empty>No user has “{q}” in the name or id.</Empty>}
      {body?.total === 0 && !q && (
        <Empty line={asCurl('POST', '/v2/user', { client_user_id: 'ada' })}>
          No user yet. Your program creates one with POST /v2/user.
        </Empty>
      )}
      {(body?.total ?? 0) > 0 && (
        <Panel title="Users">
          <Rows label="Users" heads={['User', 'Name', 'Since', 'Connections']}>
            {shown.map((user) => (
              <tr key={user.user_id}>
                <td>
                  <Link to={`/users/${user.user_id}`} data-row="">
                    <Id id={user.user_id} />
                  </Link>
                </td>
                <td class="person">{user.client_user_id}</td>
                <td>{stampOf(user.created_on)}</td>
                <td>
                  {(user.connected_sources ?? []).map(({ source }) => source.name).join(', ') || (
                    <span class="dim">none</span>
                  )}
                </td>
              </tr>
            ))}
          </Rows>
          <Pages offset={offset} total={body?.total ?? 0} />
        </Panel>
      )}
    </>
  )
}

const Pages = ({ offset, total }: { offset: number; total: number }) =>
  total <= SIZE ? null : (
    <p class="quiet row">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => setQuery({ offset: String(Math.max(0, offset - SIZE)) })}
      >
        Previous
      </button>
      {offset + 1} to {Math.min(total, offset + SIZE)} of {total}
      <button
        type="button"
        disabled={offset + SIZE >= total}
        onClick={() => setQuery({ offset: String(offset + SIZE) })}
      >
        Next
      </button>
    </p>
  )

function NewUser() {
  const form = useForm('user', { name: '' })
  const make = async () => {
    const made = await attempt('Creating the user', () =>
      call<User>('POST', '/v2/user', { client_user_id: form.values.name }),
    )
    if (!made) return
    form.clear()
    go(`/users/${made.user_id}`)
  }
  return (
    <Form class="inline" onSubmit={make}>
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
