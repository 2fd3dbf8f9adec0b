import { call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Choice, Search, Select } from '../forms.tsx'
import type { FeedInFull, Page, Scenario, ScenarioInFull, ScenarioKind } from '../responses.ts'
import { query, setQuery } from '../route.ts'
import { attempt, readWorlds, world } from '../store.ts'
import { Empty, Link, Title } from '../ui.tsx'
import { methodNames } from '../words.ts'
import { ScenarioDetail } from './scenario.tsx'

const METHODS = [['', 'all'], ...Object.entries(methodNames), ['feed', 'feeds']] as const

interface Feed {
  readonly name: string
  readonly summary: string
  readonly uploaded: boolean
}

/** The scenarios of orders and of connections, beside the one that is looked at. */
export function ScenariosView({ name }: { name: string | undefined }) {
  const { body: list } = useData<Page<Scenario>>('/_petri/scenarios')
  const { body: feeds } = useData<Page<Feed>>('/_petri/feeds')
  const [q, method] = ['q', 'method'].map((parameter) => query.value.get(parameter) ?? '')
  const isNew = query.value.has('new')
  const all = [
    ...(list?.data ?? []),
    ...(feeds?.data ?? []).map((feed) => ({ ...feed, method: 'feed', zip: null })),
  ]
  const matches = ({ name, summary, zip, method: own }: Scenario) =>
    `${name} ${summary} ${zip ?? ''}`.toLowerCase().includes((q ?? '').toLowerCase()) &&
    (!method || method === own)
  const shown = all.filter(matches)
  const chosen = name ?? shown[0]?.name
  const isFeed = feeds?.data.some((feed) => feed.name === chosen) === true
  return (
    <>
      <Title
        title="Scenarios"
        note={`${list?.data.length ?? 0} for orders, ${feeds?.data.length ?? 0} for connections`}
        shows="/_petri/scenarios"
      >
        <Search
          label="Search scenarios"
          placeholder="lost, critical, 00112…"
          value={q ?? ''}
          onChange={(text) => setQuery({ q: text })}
        />
        <Followed names={(list?.data ?? []).map((each) => each.name)} />
        <button type="button" class="primary" onClick={() => setQuery({ new: '1' })}>
          New scenario
        </button>
      </Title>
      <Choice
        label="Kind"
        options={METHODS}
        chosen={method ?? ''}
        onChoose={(value) => setQuery({ method: value })}
      />
      <div class="split">
        <nav class="list" aria-label="Scenarios">
          {shown.map((each) => (
            <Item key={each.name} scenario={each} isChosen={each.name === chosen && !isNew} />
          ))}
          {list && shown.length === 0 && <Empty>No scenario has “{q}” in it.</Empty>}
        </nav>
        <div class="detail">
          {isNew ? (
            <ScenarioDetail
              key={`new ${method}`}
              scenario={undefined}
              kind={method === 'feed' ? 'feeds' : 'orders'}
            />
          ) : (
            list &&
            feeds &&
            chosen && <Loaded key={chosen} name={chosen} kind={isFeed ? 'feeds' : 'orders'} />
          )}
        </div>
      </div>
    </>
  )
}

/** The scenario orders of this world follow unless something nearer chooses. */
function Followed({ names }: { names: readonly string[] }) {
  const follow = (scenario: string) =>
    attempt('Choosing the scenario', async () => {
      await call('PATCH', '/_petri/world', { scenario })
      await readWorlds()
    })
  return (
    <span class="inline">
      Orders of this world follow{' '}
      <Select
        label="Scenario orders of this world follow"
        value={world.value?.scenario ?? ''}
        options={names.map((name) => [name, name] as const)}
        onChange={(name) => void follow(name)}
      />
    </span>
  )
}

interface ItemProps {
  readonly scenario: Scenario
  readonly isChosen: boolean
}

const Item = ({ scenario: { name, summary, zip, uploaded }, isChosen }: ItemProps) => (
  <Link
    data-row=""
    to={withQuery(`/scenarios/${name}`, {
      q: query.value.get('q') ?? '',
      method: query.value.get('method') ?? '',
    })}
    aria-current={isChosen ? 'true' : undefined}
  >
    <span>
      <b class="mono">{name}</b>
      <small class="dim">{summary}</small>
    </span>
    <span class="end">
      {zip && <code>{zip}</code>}
      {uploaded && <small class="warn">uploaded</small>}
    </span>
  </Link>
)

function Loaded({ name, kind }: { name: string; kind: ScenarioKind }) {
  const place = kind === 'feeds' ? '/_petri/feeds' : '/_petri/scenarios'
  const { body, error } = useData<ScenarioInFull | FeedInFull>(`${place}/${encodeURIComponent(name)}`, false)
  if (error) return <Empty>{error.message}</Empty>
  return body ? <ScenarioDetail scenario={body} kind={kind} /> : null
}
