import { hasWords } from '../../kernel/words.ts'
import { withQuery } from '../api.ts'
import { Choice, Empty, ListItem, optionsOf, Split, Title } from '../components.tsx'
import { methodNames } from '../format.ts'
import { SearchBy, Select } from '../forms.tsx'
import { parameter, setQuery } from '../navigation.ts'
import type { ListPage, Scenario, ScenarioInFull, ScenarioKind } from '../responses.ts'
import { changeWorld, useData, world } from '../store.ts'
import { LifecycleStrip } from './planned-statuses.tsx'
import { SCENARIOS, ScenarioDetail } from './scenario.tsx'

const METHODS = [
  ['', 'all'],
  ...Object.entries(methodNames),
  ['feed', 'feeds'],
  ['persona', 'personas'],
] as const

const NO_SCENARIOS: readonly Scenario[] = []

/** The scenarios of all kinds, next to the chosen one. */
export function ScenariosView({ name }: { name: string | undefined }) {
  const { body: list } = useData<ListPage<Scenario>>(`${SCENARIOS}?statuses=true`)
  const q = parameter('q')
  const isFound = hasWords(q)
  const method = parameter('method')
  const isNew = parameter('new') !== ''
  const all = list?.data ?? NO_SCENARIOS
  const ofKind = (kind: ScenarioKind) => all.filter((each) => each.kind === kind)
  const shown = all.filter(
    (each) =>
      isFound(`${each.name} ${each.summary} ${each.zip ?? ''}`) &&
      (!method || method === (each.method ?? each.kind)),
  )
  // The folders of the user come first.
  const groups = [...new Set(shown.map((each) => each.group))].sort(
    (a, b) => Number(a === '') - Number(b === '') || a.localeCompare(b),
  )
  const first = shown.find((each) => each.group === groups[0])
  const chosen = name ?? first?.name
  const kind = method === 'feed' || method === 'persona' ? method : 'order'
  return (
    <>
      <Title
        title="Scenarios"
        note={`${ofKind('order').length} for orders, ${ofKind('feed').length} for connections, ${ofKind('persona').length} personas`}
        shows={SCENARIOS}
      >
        <SearchBy name="q" label="Search scenarios" placeholder="lost, critical, 00112…" />
        <WorldScenario names={ofKind('order').map((each) => each.name)} />
        <button type="button" class="primary" onClick={() => setQuery({ new: '1' })}>
          New scenario
        </button>
      </Title>
      <Choice
        label="Kind"
        options={METHODS}
        value={method}
        onChange={(value) => setQuery({ method: value })}
      />
      <Split
        label="Scenarios"
        back={(isNew || name) && withQuery('/scenarios', { q, method })}
        list={
          <>
            {groups.map((group) => (
              <section key={group} aria-label={group || 'others'}>
                {groups.length > 1 && <h2 class="group">{group || 'others'}</h2>}
                {shown
                  .filter((each) => each.group === group)
                  .map((each) => (
                    <ScenarioItem key={each.name} scenario={each} isChosen={each.name === chosen && !isNew} />
                  ))}
              </section>
            ))}
            {list && shown.length === 0 && <Empty>No scenario contains “{q}”.</Empty>}
          </>
        }
      >
        {isNew && <ScenarioDetail key={`new ${method}`} scenario={undefined} kind={kind} />}
        {!isNew && list && chosen && <LoadedScenario key={chosen} name={chosen} />}
      </Split>
    </>
  )
}

/** The default scenario of orders of this world. */
function WorldScenario({ names }: { names: readonly string[] }) {
  const follow = (scenario: string) => changeWorld('Choosing the scenario', { scenario })
  return (
    <span class="inline">
      Orders of this world follow{' '}
      <Select
        label="Scenario of the orders of this world"
        value={world.value?.scenario ?? ''}
        options={optionsOf(names)}
        onChange={follow}
      />
    </span>
  )
}

function ScenarioItem({ scenario, isChosen }: { scenario: Scenario; isChosen: boolean }) {
  const { name, summary, error, zip, uploaded, statuses } = scenario
  return (
    <ListItem
      to={withQuery(`/scenarios/${name}`, { q: parameter('q'), method: parameter('method') })}
      isChosen={isChosen}
      title={name}
      note={
        <>
          {error ?? summary}
          {scenario.kind === 'order' && statuses && <LifecycleStrip statuses={statuses} />}
        </>
      }
      end={
        <span class="end">
          {zip && <code>{zip}</code>}
          {uploaded && <small class="warn">uploaded</small>}
        </span>
      }
    />
  )
}

function LoadedScenario({ name }: { name: string }) {
  const { body, error } = useData<ScenarioInFull>(`${SCENARIOS}/${encodeURIComponent(name)}`, false)
  if (error) return <Empty>{error.message}</Empty>
  return body ? <ScenarioDetail scenario={body} kind={body.kind} /> : null
}
