import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../kernel/package-folder.ts'
import type { IncidentLabTest } from './lab-test.ts'

/** The incident that a generated test repeats. */
export interface TestedIncident {
  /** That of the finding. */
  readonly name: string
  /** The name of the finding's file, which is next to the test. */
  readonly file: string
  readonly isRegistrable: boolean
  readonly isRedraw: boolean
  /** The event types and statuses of the webhooks, in the order in which they are delivered. */
  readonly webhooks: readonly DeliveredWebhook[]
  /** How the scenario differs from the record when it is played, in sentences. */
  readonly differences: readonly string[]
  /** The order before and after each report. */
  readonly moments: readonly Moment[]
  /** The body that creates the lab test; undefined for any. */
  readonly labTest: IncidentLabTest | undefined
  /** Demographics of the user; undefined for any. */
  readonly person: object | undefined
  /** Of the world. */
  readonly features: Readonly<Record<string, boolean>>
}

export type DeliveredWebhook = readonly [eventType: string, status: string | null]

/** An order after some time, with what the record has of it. */
export interface Moment {
  /** A duration since the moment before. */
  readonly after: string
  readonly status: string
  readonly interpretation?: string | null
  /** The values of the named results; tests compare the numbers. */
  readonly values?: Readonly<Record<string, number | string>>
}

/** How values are written in a language. */
interface Language {
  text(value: string): string
  readonly nothing: string
  /** What begins a comment in the list of webhooks. */
  readonly comment: string
  flag(value: boolean): string
  /** An item of the list of webhooks; type and status are written already. */
  webhook(type: string, status: string): string
}

const javaScript: Language = {
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  nothing: 'null',
  comment: '  //',
  flag: String,
  webhook: (type, status) => `  [${type}, ${status}],`,
}
const python: Language = {
  text: (value) => JSON.stringify(value),
  nothing: 'None',
  comment: '    #',
  flag: (value) => (value ? 'True' : 'False'),
  webhook: (type, status) => `    (${type}, ${status}),`,
}
const go: Language = {
  text: (value) => JSON.stringify(value),
  nothing: '""',
  comment: '\t\t//',
  flag: String,
  webhook: (type, status) => `\t\t{${type}, ${status}},`,
}

interface TestKindRow {
  readonly language: Language
  /** In the folder `templates`. */
  readonly template: string
  /** The name of the test's file. */
  fileOf(name: string): string
}

/** The frameworks and languages in which a test can be written. */
export const testKinds = {
  vitest: { language: javaScript, template: 'vitest.test.js', fileOf: (name) => `${name}.test.js` },
  jest: { language: javaScript, template: 'jest.test.cjs', fileOf: (name) => `${name}.test.cjs` },
  node: { language: javaScript, template: 'node.test.mjs', fileOf: (name) => `${name}.test.mjs` },
  pytest: { language: python, template: 'pytest.py', fileOf: (name) => `test_${identifierOf(name)}.py` },
  go: { language: go, template: 'go_test.go', fileOf: (name) => `${identifierOf(name)}_test.go` },
} satisfies Record<string, TestKindRow>

export type TestKind = keyof typeof testKinds

/** The text of a test that repeats an incident. */
export function incidentTestText(kind: TestKind, incident: TestedIncident): string {
  const { language, template, fileOf } = testKinds[kind]
  const { name, file, isRegistrable, isRedraw, webhooks, moments, labTest, person, features } = incident
  const differences = incident.differences.map((sentence) => `${language.comment} ${sentence}`)
  return fillTemplate(template, {
    name,
    identifier: identifierOf(name),
    title: titleOf(name),
    testFile: fileOf(name),
    file: language.text(file),
    registrable: language.flag(isRegistrable),
    redraw: language.flag(isRedraw),
    webhooks: [
      ...differences,
      ...webhooks.map(([type, status]) =>
        language.webhook(language.text(type), status === null ? language.nothing : language.text(status)),
      ),
    ].join('\n'),
    moments: moments.map((moment) => `  ${JSON.stringify(moment)}`).join(',\n'),
    labTest: JSON.stringify(labTest ?? null),
    person: JSON.stringify(person ?? null),
    features: JSON.stringify(features),
  })
}

/** The history that a generated test plays. */
interface TestedHistory {
  /** That of the finding. */
  readonly name: string
  /** The name of the finding's file, which is next to the test. */
  readonly file: string
  readonly problem: string
}

/** The test of a history that `petri explore` has found, for vitest. */
export function historyTestText({ name, file, problem }: TestedHistory): { file: string; text: string } {
  const testFile = testKinds.vitest.fileOf(name)
  const text = fillTemplate('history.test.js', {
    name,
    testFile,
    file: javaScript.text(file),
    problem: problem.replace(/\s+/g, ' '),
  })
  return { file: testFile, text }
}

/** A template of a test with its `{{names}}` replaced. */
function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(packageFolder('dist'), 'test-templates', `${template}.tmpl`), 'utf8')
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The template ${template} names ${name}, which has no value.`)
    return value
  })
}

const identifierOf = (name: string) => name.replaceAll('-', '_')

const titleOf = (name: string) =>
  name.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase())
