import type { Explored, Finding } from '../../client/explore.ts'
import { byName } from '../../kernel/fields.ts'
import { compact } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import { quotedIfNeeded } from '../../kernel/shell.ts'

/** A finding with the file of its scenario. */
export interface FiledFinding extends Finding {
  /** Undefined if it was not written. */
  readonly file: string | undefined
}

export type ExploreReport = Omit<Explored, 'findings'> & { readonly findings: readonly FiledFinding[] }

/** Why an exploration ended early. */
export const endedByText = ({ name }: Finding): string =>
  `Ended early: nothing but ${name} was found in the last 20 histories. Fix it to find others.`

/** How often a history failed that does not fail each time. */
export const notEachTime = ({ failed, of }: Finding['plays']): string =>
  `Not every time: it failed in ${failed} of ${of} plays of the same history under other ids.`

/** The report as text: a story for each finding with the line that plays it again, then what was covered. The options are quoted. */
export function asText(report: ExploreReport, options: readonly string[]): string {
  const { runs, plays, perSecond, coverage, findings, stopped, endedBy } = report
  const { edges, events, pairs } = coverage
  const nothing = stopped ? 'nothing wrong so far' : 'nothing wrong'
  const count = findings.length === 0 ? nothing : plural(findings.length, 'finding')
  // Only histories from files.
  const what = runs === 0 ? `${plural(plays, 'finding')} played again` : plural(runs, 'history', 'histories')
  return compact([
    ...findings.flatMap((finding) => [...storyOf(finding, options), '']),
    endedBy && endedByText(endedBy),
    `${what}${stopped ? ', then stopped' : ''}: ${count}; ${perSecond} a second, seed ${report.seed}.`,
    `Covered: ${edges.covered} of ${edges.of} edges of the lifecycles, ${plural(Object.keys(events).length, 'event type')}, ${plural(Object.keys(pairs).length, 'pair')} of anomaly and event.`,
  ]).join('\n')
}

function storyOf(
  { name, known, story, anomalies, file, again, plays }: FiledFinding,
  options: readonly string[],
): string[] {
  const others = anomalies.length === 0 ? '' : `, with ${anomalies.join(', ')}`
  const more = again > 0 ? ` ${plural(again, 'more history', 'more histories')} went wrong like this.` : ''
  return compact([
    `${name}${known ? ' (known)' : ''}: happy path${others}.${more}`,
    ...story.map((line) => `  ${line}`),
    plays.failed < plays.of && `  ${notEachTime(plays)}`,
    file !== undefined &&
      `  Again: ${['petri explore --replay', quotedIfNeeded(file), ...options].join(' ')}`,
  ])
}

/** The report for CI systems that read JUnit: a test case for each finding, or one that passed. */
export function asJUnit({ findings, runs }: ExploreReport): string {
  const cases = findings.map(
    ({ name, problem, story }) =>
      `    <testcase classname="petri explore" name="${escaped(name)}">\n      <failure message="${escaped(problem)}">${escaped(story.join('\n'))}</failure>\n    </testcase>`,
  )
  const passed = `    <testcase classname="petri explore" name="${plural(runs, 'history', 'histories')}"/>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="petri explore" tests="${Math.max(1, findings.length)}" failures="${findings.length}">`,
    ...(cases.length > 0 ? cases : [passed]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const entities = byName<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })

/** Without control characters, which XML does not allow. */
const escaped = (text: string) =>
  text.replace(/(?!\n)\p{Cc}/gu, ' ').replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)

/** Workflow commands of GitHub Actions, one for each finding. */
export const asAnnotations = ({ findings }: ExploreReport): readonly string[] =>
  findings.map(
    ({ name, problem, file }) =>
      `::error ${file === undefined ? '' : `file=${property(file)},`}title=${property(name)}::${data(problem)}`,
  )

const data = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
