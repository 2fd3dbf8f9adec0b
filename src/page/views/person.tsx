import { DAY_MS } from '../../kernel/instant.ts'
import { readableDate } from '../../kernel/readable.ts'
import { withQuery } from '../api.ts'
import { Dim, optionsOf, Panel, Table } from '../components.tsx'
import { Select } from '../forms.tsx'
import type { Scenario, UserTruth } from '../responses.ts'
import { perform, useData, useList } from '../store.ts'

/** The days that the timeline shows. */
const SHOWN_DAYS = 365

/** The person behind a user's data: the persona, and what was and is true in the last year. */
export function PersonOf({ userId, today }: { userId: string; today: string }) {
  const from = new Date(Date.parse(today) - SHOWN_DAYS * DAY_MS).toISOString().slice(0, 10)
  const path = withQuery(`/_petri/users/${userId}/truth`, { from, until: today })
  const { body: truth } = useData<UserTruth>(path)
  const personas = useList<Scenario>('/_petri/scenarios?kind=persona')
  const choose = (persona: string) =>
    perform('Choosing the persona', 'PUT', `/_petri/users/${userId}/persona`, { persona: persona || null })
  if (!truth) return null
  return (
    <Panel title="Person" note={noteOf(truth)}>
      <Select
        label="Persona"
        value={truth.persona ?? ''}
        options={[['', 'generated, without a persona'], ...optionsOf(personas.map(({ name }) => name))]}
        onChange={choose}
      />
      <Table
        label="The truth about the person"
        empty="No conditions, treatments or episodes in the last year."
        columns={[['What', 'wraps'], ['From', 'wraps'], ['Until', 'wraps'], ['Last year']]}
        rows={partsOf(truth)}
        keyOf={({ name, since }) => `${name} ${since}`}
        cells={({ name, since, until }) => [
          titles[name] ?? name.replaceAll('_', ' '),
          readableDate(since),
          until ? readableDate(until) : <Dim>ongoing</Dim>,
          <Bar from={shareOf(since, from)} until={until === null ? 1 : shareOf(until, from)} />,
        ]}
      />
    </Panel>
  )
}

/** Conditions and episodes whose short name is not what people call them. */
const titles: Readonly<Partial<Record<string, string>>> = {
  liver: 'liver disease',
  inflammation: 'chronic inflammation',
  other_finding: 'another abnormal result',
  glp1: 'GLP-1 medication',
  bad_week: 'stressful week',
}

const noteOf = ({ sex, birth_date, race, ethnicity }: UserTruth): string =>
  `${sex}, born ${readableDate(birth_date)}, ${race}, ${ethnicity}`.replaceAll('_', ' ')

/** Conditions, treatments and episodes, oldest first. */
const partsOf = ({ conditions, treatments, episodes, from }: UserTruth) =>
  [...conditions, ...treatments, ...episodes]
    .filter(({ until }) => until === null || until > from)
    .sort((a, b) => (a.since < b.since ? -1 : 1))

/** Where a date lies in the shown days, from 0 to 1. */
const shareOf = (date: string, from: string): number =>
  Math.min(1, Math.max(0, (Date.parse(date) - Date.parse(from)) / DAY_MS / SHOWN_DAYS))

const WIDTH = 90
const HEIGHT = 8

const Bar = ({ from, until }: { from: number; until: number }) => (
  <svg class="plot span" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    <rect class="band" x={0} y={0} width={WIDTH} height={HEIGHT} />
    <rect class="bar" x={from * WIDTH} y={0} width={Math.max(1, (until - from) * WIDTH)} height={HEIGHT} />
  </svg>
)
