import { useSignal } from '@preact/signals'
import { groupBy, sumOf } from '../../kernel/list.ts'
import { hasWords } from '../../kernel/words.ts'
import { Button, Copy, Dim, Name, Panel, StatusTag, Title } from '../components.tsx'
import { countOf, inWords, methodNames, phaseOf } from '../format.ts'
import { openDialog, SearchBy } from '../forms.tsx'
import { parameter } from '../navigation.ts'
import type { Coverage, Scenario } from '../responses.ts'
import { say, useData, useLifecycle, useList } from '../store.ts'
import { placeForScenario } from './place-order.tsx'
import { Trigger } from './trigger.tsx'

/** Operations, statuses, events and errors that the program has met, and how to meet the rest. */
export function CoverageView() {
  const { body: coverage } = useData<Coverage>('/_petri/coverage')
  const lifecycle = useLifecycle()
  if (!coverage || !lifecycle) return null
  const statuses = lifecycle.workflows.flatMap((workflow) => workflow.statuses.map(({ status }) => status))
  const { operations, order_statuses, event_types, errors } = coverage
  const calls = operations.met.map(({ route, statuses }) => [route, sumOf(Object.values(statuses))] as const)
  return (
    <>
      <Title
        title="Coverage"
        note="what your program has met since this world was opened"
        shows="/_petri/coverage"
      >
        <SearchBy
          name="q"
          label="Search operations, statuses, events and errors"
          placeholder="status, event, operation…"
        />
        <Copy text={() => JSON.stringify(coverage, null, 2)}>Copy as JSON</Copy>
      </Title>
      <CoveragePanel
        title="Order statuses"
        met={Object.entries(order_statuses.met)}
        never={order_statuses.never}
        rankOf={(name) => lifecycle.phases.indexOf(phaseOf(name)) * 100 + statuses.indexOf(name)}
        groupOf={(name) => methodNames[name.split('.')[1] ?? ''] ?? 'other'}
        nameOf={inWords}
      />
      <Missing coverage={coverage} />
      <CoveragePanel
        title="Event types"
        met={Object.entries(event_types.met)}
        never={event_types.never}
        groupOf={(name) => /^(?:(?:daily|historical)\.)?[^.]*/.exec(name)?.[0] ?? ''}
        nameOf={(name) => name.split('.').slice(-2).join('.')}
      />
      <CoveragePanel
        title="Operations"
        met={calls}
        never={operations.never.map(({ route }) => route)}
        groupOf={(route) => (route.split(' ')[1] ?? '').split('/').slice(1, 3).join('/').replace(/\{.*/, '')}
        nameOf={(route) => route.replace(/^(\w+) \/\w+\/[^/{]*\/?/, '$1 /').replaceAll(/\{\w+\}/g, '…')}
      />
      <CoveragePanel
        title="Errors"
        met={Object.entries(errors.met)}
        never={errors.never}
        groupOf={groupOfError}
        nameOf={(name) => name}
      />
    </>
  )
}

function groupOfError(name: string): string {
  if (/^\d/.test(name)) return 'status'
  return /^[A-Z]/.test(name) ? 'link' : 'validation'
}

interface CoverageProps {
  readonly title: string
  readonly met: readonly (readonly [name: string, count: number])[]
  readonly never: readonly string[]
  groupOf(name: string): string
  nameOf(name: string): string
  /** The order of the names; that of the alphabet without it. */
  rankOf?(name: string): number
}

/** A cell for each name with its count; the higher, the darker. */
function CoveragePanel({ title, met, never, groupOf, nameOf, rankOf = () => 0 }: CoverageProps) {
  const all = [...met, ...never.map((name) => [name, 0] as const)]
  const isFound = hasWords(parameter('q'))
  const shown = all
    .filter(([name]) => isFound(`${name} ${inWords(name)}`))
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
  const groups = groupBy(shown, ([name]) => groupOf(name))
  if (shown.length === 0) return null
  return (
    <Panel
      title={title}
      aside={
        <>
          <b>{met.length}</b> <Dim>of {all.length} met</Dim>
          <progress value={met.length} max={all.length} aria-label={`${title} met`} />
        </>
      }
    >
      <dl class="shelves">
        {[...groups].map(([group, cells]) => (
          <div key={group}>
            <dt>
              {group}{' '}
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

/** Statuses that were never met, each with a scenario that reaches it, and events that were never sent. */
function Missing({ coverage }: { coverage: Coverage }) {
  const scenarioByStatus = firstByStatus(
    useList<Scenario>('/_petri/scenarios?kind=order&statuses=true', false),
  )
  const eventType = useSignal<string | undefined>(undefined)
  const statuses = coverage.order_statuses.never.flatMap((status) => {
    const scenario = scenarioByStatus.get(status)
    return scenario ? [{ status, scenario }] : []
  })
  const events = coverage.event_types.never.filter((name) => name.startsWith('labtest.'))
  if (statuses.length === 0 && events.length === 0) return null
  return (
    <Panel
      title="How to cover the rest"
      note={`${countOf(statuses.length, 'status', 'statuses')} with a scenario that reaches it`}
    >
      <table class="rows tight">
        <tbody>
          {statuses.slice(0, SHOWN).map(({ status, scenario }) => (
            <tr key={status} data-missing={status}>
              <td>
                <StatusTag status={status} /> <small class="dim">{methodNames[scenario.method ?? '']}</small>
              </td>
              <td>
                <code>{scenario.name}</code>
              </td>
              <td class="act">
                <Button class="small" onClick={() => place(scenario)}>
                  Place an order
                </Button>
              </td>
            </tr>
          ))}
          {events.slice(0, SHOWN / 2).map((name) => (
            <tr key={name}>
              <td class="mono">{name}</td>
              <td class="dim">an event</td>
              <td class="act">
                <Button
                  class="small"
                  onClick={() => {
                    eventType.value = name
                    openDialog('trigger')
                  }}
                >
                  Trigger
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Trigger type={eventType.value} />
    </Panel>
  )
}

/** For each status the first scenario that reaches it. */
function firstByStatus(scenarios: readonly Scenario[]): ReadonlyMap<string, Scenario> {
  const found = new Map<string, Scenario>()
  for (const scenario of scenarios)
    for (const { status } of Object.values(scenario.statuses ?? {}).flat())
      if (!found.has(status)) found.set(status, scenario)
  return found
}

async function place(scenario: Scenario): Promise<void> {
  const placed = await placeForScenario(scenario.name, scenario.method === 'testkit')
  if (placed)
    say({
      title: 'Order placed',
      lines: [`It follows ${scenario.name}; advance the clock to see it get there.`],
      link: { to: `/orders/${placed.id}`, text: 'Open it' },
    })
}
