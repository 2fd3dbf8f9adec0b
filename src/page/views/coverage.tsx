import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api.ts'
import { useData } from '../data.ts'
import { openDialog } from '../dialog.tsx'
import type { Coverage, Page, Scenario, ScenarioInFull } from '../responses.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Copy, Name, Panel, StatusTag, Title } from '../ui.tsx'
import { countOf, inWords, methodNames } from '../words.ts'
import { placeForScenario } from './place-order.tsx'
import { Trigger } from './trigger.tsx'

/** What the program has met of the service, and how to meet the rest. */
export function CoverageView() {
  const { body: coverage } = useData<Coverage>('/_petri/coverage')
  if (!coverage) return null
  const { operations, order_statuses, event_types, errors } = coverage
  const calls = operations.met.map(
    ({ route, statuses }) => [route, Object.values(statuses).reduce((sum, count) => sum + count, 0)] as const,
  )
  return (
    <>
      <Title
        title="Coverage"
        note="what your program has met since this world was opened"
        shows="/_petri/coverage"
      >
        <Copy text={() => JSON.stringify(coverage, null, 2)}>Copy as JSON</Copy>
      </Title>
      <Group
        title="Order statuses"
        met={Object.entries(order_statuses.met)}
        never={order_statuses.never}
        shelfOf={(name) => methodNames[name.split('.')[1] ?? ''] ?? 'other'}
        nameOf={inWords}
      />
      <Missing coverage={coverage} />
      <Group
        title="Event types"
        met={Object.entries(event_types.met)}
        never={event_types.never}
        shelfOf={(name) =>
          name
            .split('.')
            .slice(0, /^(daily|historical)/.test(name) ? 2 : 1)
            .join('.')
        }
        nameOf={(name) => name.split('.').slice(-2).join('.')}
      />
      <Group
        title="Operations"
        met={calls}
        never={operations.never.map(({ route }) => route)}
        shelfOf={(route) => (route.split(' ')[1] ?? '').split('/').slice(1, 3).join('/').replace(/\{.*/, '')}
        nameOf={(route) => route.replace(/^(\w+) \/\w+\/[^/{]*\/?/, '$1 /').replaceAll(/\{\w+\}/g, '…')}
      />
      <Group
        title="Errors"
        met={Object.entries(errors.met)}
        never={errors.never}
        shelfOf={(name) => (/^\d/.test(name) ? 'status' : /^[A-Z]/.test(name) ? 'link' : 'validation')}
        nameOf={(name) => name}
      />
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly met: readonly (readonly [name: string, count: number])[]
  readonly never: readonly string[]
  shelfOf(name: string): string
  nameOf(name: string): string
}

/** A cell for each, darker the oftener, with its count. */
function Group({ title, met, never, shelfOf, nameOf }: GroupProps) {
  const all = [...met, ...never.map((name) => [name, 0] as const)].sort(([a], [b]) => (a < b ? -1 : 1))
  const shelves = new Map<string, (readonly [string, number])[]>()
  for (const cell of all) shelves.set(shelfOf(cell[0]), [...(shelves.get(shelfOf(cell[0])) ?? []), cell])
  return (
    <Panel
      title={title}
      aside={
        <>
          <b>{met.length}</b> <span class="dim">of {all.length} met</span>
          <progress value={met.length} max={all.length} aria-label={`${title} met`} />
        </>
      }
    >
      <dl class="shelves">
        {[...shelves].map(([shelf, cells]) => (
          <div key={shelf}>
            <dt>
              {shelf}{' '}
              <small class="dim">
                {cells.filter(([, count]) => count > 0).length}/{cells.length}
              </small>
            </dt>
            <dd class="cells">
              {cells.map(([name, count]) => (
                <span
                  key={name}
                  class={`cell h${heatOf(count)}`}
                  title={name}
                  data-name={name}
                  data-count={count}
                >
                  <span>
                    <Name text={nameOf(name)} />
                  </span>{' '}
                  <b>{count > 0 ? count : ''}</b>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const heatOf = (count: number) => (count === 0 ? 0 : Math.min(4, 1 + Math.floor(Math.log2(count) / 2)))

const SHOWN = 8

/** The statuses nobody met, each with a scenario that leads there, and an event nobody was told. */
function Missing({ coverage }: { coverage: Coverage }) {
  const { body: list } = useData<Page<Scenario>>('/_petri/scenarios', false)
  const leads = useSignal<Readonly<Record<string, Scenario>>>({})
  const triggered = useSignal<string | undefined>(undefined)
  useEffect(() => {
    void readLeads(list?.data ?? []).then((found) => {
      leads.value = found
    })
  }, [list])
  const open = coverage.order_statuses.never.flatMap((status) => {
    const scenario = leads.value[status]
    return scenario ? [{ status, scenario }] : []
  })
  const events = coverage.event_types.never.filter((name) => name.startsWith('labtest.'))
  if (open.length === 0 && events.length === 0) return null
  return (
    <Panel
      title="How to meet what is missing"
      aside={
        <span class="dim">{countOf(open.length, 'status', 'statuses')} with a scenario that leads there</span>
      }
    >
      <table class="rows tight">
        <tbody>
          {open.slice(0, SHOWN).map(({ status, scenario }) => (
            <tr key={status} data-missing={status}>
              <td>
                <StatusTag status={status} /> <small class="dim">{methodNames[scenario.method]}</small>
              </td>
              <td>
                <code>{scenario.name}</code>
              </td>
              <td class="act">
                <button type="button" class="small" onClick={() => void orderOne(scenario)}>
                  Order one that does
                </button>
              </td>
            </tr>
          ))}
          {events.slice(0, SHOWN / 2).map((name) => (
            <tr key={name}>
              <td class="mono">{name}</td>
              <td class="dim">an event</td>
              <td class="act">
                <button
                  type="button"
                  class="small"
                  onClick={() => {
                    triggered.value = name
                    openDialog('trigger')
                  }}
                >
                  Trigger
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Trigger type={triggered.value} />
    </Panel>
  )
}

/** For each status the first scenario that leads there. */
async function readLeads(scenarios: readonly Scenario[]): Promise<Record<string, Scenario>> {
  const all = await Promise.all(
    scenarios.map(({ name }) => get<ScenarioInFull>(`/_petri/scenarios/${encodeURIComponent(name)}`)),
  )
  const leads: Record<string, Scenario> = {}
  for (const scenario of all) {
    for (const { status } of Object.values(scenario.trails).flat()) leads[status] ??= scenario
  }
  return leads
}

async function orderOne({ name, method }: Scenario): Promise<void> {
  const placed = await attempt('Placing the order', () => placeForScenario(method, name))
  if (placed)
    say({
      title: 'The order is placed',
      lines: [`It follows ${name}; advance the clock to see it come there.`],
      link: { to: `/orders/${placed}`, text: 'Open it' },
    })
}
