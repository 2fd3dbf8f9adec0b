import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { groupBy } from '../../kernel/list.ts'
import { hasWords } from '../../kernel/words.ts'
import { Choice, Facts, Mono, optionsOf, Panel, Title } from '../components.tsx'
import { Check, SearchBy, Select } from '../forms.tsx'
import { parameter } from '../navigation.ts'
import type { Health, World } from '../responses.ts'
import { changeWorld, useData, useFields } from '../store.ts'
import { ConnectionFacts } from './connect.tsx'

export const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export const theme = signal(localStorage.getItem('petri.theme') ?? 'system')

/** Shows the page in a theme, and remembers it. */
export function applyTheme(chosen: string = theme.value): void {
  theme.value = chosen
  localStorage.setItem('petri.theme', chosen)
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

/** Features of the world, its keys, and lines to paste. */
export function SettingsView() {
  const { body: described } = useData<World>('/_petri/world')
  const { body: health } = useData<Health>('/_petri/health', false)
  if (!described) return null
  return (
    <>
      <Title
        title="Settings"
        note={health && `Petri ${health.version}, contract ${health.contract_version}`}
        shows="/_petri/world"
      />
      <div class="cols">
        <Features features={described.features} />
        <div>
          <Panel title="Connect your program">
            <ConnectionFacts described={described} />
          </Panel>
          <Panel title="This world">
            <Like {...described} />
            <Facts
              facts={[
                ['Seed', <Mono>{described.seed}</Mono>],
                ['Team', <Mono>{described.team_id}</Mono>],
              ]}
            />
          </Panel>
          <Panel title="Appearance">
            <Choice label="Theme" options={THEMES} value={theme.value} onChange={applyTheme} />
          </Panel>
        </div>
      </div>
    </>
  )
}

const teams = [
  ['', 'Petri'],
  ['sandbox', 'Live sandbox'],
  ['production', 'Live production'],
] as const

function Like({ like }: Pick<World, 'like'>) {
  const set = (chosen: string) => changeWorld('Changing the defaults', { like: chosen || null })
  return (
    <span class="inline">
      Defaults of <Select label="Defaults of" value={like ?? ''} options={teams} onChange={set} />
    </span>
  )
}

/** The features by what they are about; the rest has no group. */
const groups = {
  'Form of the service':
    'parity contract_form simulation sandbox_limits idempotency_mismatch sunset unknown_futures sparse',
  Orders:
    'lab_test_approval physician_rule phone_numbers minor_ordering abn order_lab_account order_transactions redraws',
  Appointments:
    'psc_scheduling psc_time_zones arizona_scheduling home_visits booking_before_requisition visit_confirmation appointment_created_events working_hours approxdraw approxdraw_labcorp',
  Results: 'partial_results_webhooks unmatched_results human_review report_parser_limits',
  Insurance: 'insurance_needs_demographics insurance_guarantor_rule',
  'Users and connections':
    'adopt_users bulk_operations reject_duplicate_connection history push_historical_data mobile_environment',
  'Journal of calls': 'journal_bodies',
}

const groupOf = (feature: string) =>
  Object.entries(groups).find(([, names]) => names.split(' ').includes(feature))?.[0] ?? 'Other'

const titleOf = (name: string) =>
  name.replaceAll('_', ' ').replace(/\b(abn|psc)\b/, (word) => word.toUpperCase())

function Features({ features }: Pick<World, 'features'>) {
  const fields = useFields('PetriFeatures')
  const asked = parameter('feature')
  useEffect(() => document.querySelector(`[data-feature="${CSS.escape(asked)}"]`)?.scrollIntoView(), [asked])
  const q = parameter('q')
  const isFound = hasWords(q)
  const shown = Object.entries(features).filter(([name]) =>
    isFound(`${titleOf(name)} ${name} ${fields[name]?.description}`),
  )
  const byGroup = groupBy(shown, ([name]) => groupOf(name))
  return (
    <Panel
      title="Features"
      aside={<SearchBy name="q" label="Search features" placeholder="what the service does…" />}
    >
      {[...Object.keys(groups), 'Other'].map((group) => (
        <FeatureGroup key={group} title={group} values={byGroup.get(group) ?? []} />
      ))}
      {shown.length === 0 && <p class="quiet">No feature contains “{q}”.</p>}
    </Panel>
  )
}

interface FeatureGroupProps {
  readonly title: string
  readonly values: readonly (readonly [name: string, value: boolean | string])[]
}

function FeatureGroup({ title, values }: FeatureGroupProps) {
  const set = (name: string, value: unknown) =>
    changeWorld('Changing the feature', { features: { [name]: value } })
  const fields = useFields('PetriFeatures')
  if (values.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="switches">
        {values.map(([name, value]) => (
          <li key={name} data-feature={name} class={name === parameter('feature') ? 'asked' : ''}>
            {typeof value === 'boolean' ? (
              <Check checked={value} onChange={(checked) => void set(name, checked)}>
                {titleOf(name)}
              </Check>
            ) : (
              <span class="inline">
                {titleOf(name)}{' '}
                <Select
                  label={titleOf(name)}
                  value={value}
                  options={optionsOf((fields[name]?.enum ?? [value]).map(String))}
                  onChange={(chosen) => void set(name, chosen)}
                />
              </span>
            )}
            <small class="dim">{fields[name]?.description?.replaceAll('`', '')}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
