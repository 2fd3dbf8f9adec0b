import { inWords } from '../../src/page/format.ts'
import type { Lifecycle, ScenarioInFull, ScenarioStatus } from '../../src/page/responses.ts'
import { afterOf, whenOf } from '../../src/page/views/planned-statuses.tsx'
import { cell, type PartOfSite, page, table } from './part.ts'
import { timelinePicture, workflowPicture } from './pictures.ts'

/** Reads from the control API of a Petri. */
type Read = (path: string) => Promise<unknown>

const titles: Readonly<Record<string, string>> = {
  testkit: 'Test kits',
  walk_in_test: 'Walk-in tests',
  at_home_phlebotomy: 'At-home phlebotomy',
  on_site_collection: 'On-site collection',
}

/** The gallery: every bundled scenario with its file, its lifecycle in a picture, and the same in words. */
export async function galleryPages(read: Read): Promise<PartOfSite> {
  const all = async (kind: ScenarioInFull['kind']) => {
    const { data } = (await read(`/_petri/scenarios?kind=${kind}`)) as { data: ScenarioInFull[] }
    return Promise.all(data.map(({ name }) => read(`/_petri/scenarios/${name}`) as Promise<ScenarioInFull>))
  }
  const scenarios = await all('order')
  const feeds = await all('feed')
  const personas = await all('persona')
  const { workflows } = (await read('/_petri/lifecycle')) as Lifecycle
  const methods = [...new Set(workflows.map(({ method }) => method))]
  const families = methods.map((method) => ({
    path: `gallery/${slugOf(method)}`,
    title: titles[method] ?? inWords(method),
    text: familyPage(
      method,
      scenarios.filter((scenario) => scenario.method === method),
      workflows.filter((workflow) => workflow.method === method),
    ),
  }))
  const rest = [
    { path: 'gallery/feeds', title: 'Data feeds', text: feedsPage(feeds) },
    { path: 'gallery/personas', title: 'Personas', text: personasPage(personas) },
  ]
  const pages = [
    { path: 'gallery/README', title: 'All scenarios', text: contentsPage(methods, scenarios) },
    ...families,
    ...rest,
  ]
  return {
    text: 'Gallery of scenarios',
    pages: Object.fromEntries(pages.map(({ path, title }) => [path, title])),
    links: Object.fromEntries(
      scenarios.map(({ name, method }) => [name, `gallery/${slugOf(method ?? '')}.md#${name}`]),
    ),
    files: {
      ...Object.fromEntries(pages.map(({ path, text }) => [`${path}.md`, text])),
      ...Object.fromEntries(
        workflows.map((each) => [`gallery/${pictureOf(each.name)}`, workflowPicture(each)]),
      ),
      ...Object.fromEntries(
        scenarios.flatMap((scenario) =>
          Object.entries(scenario.statuses).map(([workflow, planned]) => [
            `gallery/${pictureOf(scenario.name, workflow)}`,
            timelinePicture(planned),
          ]),
        ),
      ),
    },
  }
}

const slugOf = (method: string) => method.replaceAll('_', '-')
const pictureOf = (...names: readonly string[]) => `pictures/${slugOf(names.join('-'))}.svg`

const contentsPage = (methods: readonly string[], scenarios: readonly ScenarioInFull[]) =>
  page(
    '# Gallery of scenarios',
    [
      'Every scenario that comes with Petri: when the status of an order changes, as a picture and in words, and the file. ',
      'How to choose one is under [Scenarios](../docs/scenarios.md), how to write one under ',
      '[Write a scenario](../docs/scenarios.md#write-a-scenario). The data of connected devices have [scenarios of their own](feeds.md), ',
      'and people [personas](personas.md).',
    ].join(''),
    ...methods.flatMap((method) => [
      `## ${titles[method]}`,
      table(
        ['Scenario', 'What happens', 'Ends as'],
        scenarios
          .filter((scenario) => scenario.method === method)
          .map(({ name, summary, statuses }) => [
            `[\`${name}\`](${slugOf(method)}.md#${name})`,
            cell(summary),
            endsOf(statuses).join(' or '),
          ]),
      ),
    ]),
  )

/** The last status of each workflow, each once. */
const endsOf = (statuses: ScenarioInFull['statuses']): string[] => [
  ...new Set(Object.values(statuses).map((planned) => inWords(planned.at(-1)?.status ?? ''))),
]

const familyPage = (
  method: string,
  scenarios: readonly ScenarioInFull[],
  workflows: Lifecycle['workflows'],
) =>
  page(
    `# ${titles[method]}`,
    `How orders of this kind go on: ${workflows.length === 1 ? 'a map' : 'maps'} of the statuses. Those in the lowest row end an order.`,
    ...workflows.flatMap((workflow) => [
      `**${inWords(workflow.name)}**`,
      `![Map of ${inWords(workflow.name)}: usually ${workflow.happy_path.map(inWords).join(', then ')}](${pictureOf(workflow.name)})`,
      '<details><summary>The same in words</summary>',
      workflow.statuses
        .map(({ name, leads_to }) => `- ${inWords(name)}: ${leads_to.map(inWords).join(', ') || 'the end'}`)
        .join('\n'),
      '</details>',
    ]),
    ...scenarios.flatMap(scenarioParts),
  )

function scenarioParts({ name, summary, zip, statuses, source }: ScenarioInFull): string[] {
  const various = Object.keys(statuses).length > 1
  return [
    `## ${name}`,
    `${summary}${zip ? ` ZIP code: \`${zip}\`.` : ''} File: [${name}.yaml](../scenarios/${name}.yaml)`,
    ...Object.entries(statuses).flatMap(([workflow, planned]) => [
      ...(various ? [`**As ${inWords(workflow)}**`] : []),
      `![Timeline of ${name}${various ? ` as ${inWords(workflow)}` : ''}](${pictureOf(name, workflow)})`,
      planned.map(stepInWords).join('\n'),
    ]),
    ...fileParts(source),
  ]
}

const stepInWords = ({ status, status_detail, ...when }: ScenarioStatus) =>
  `1. ${whenOf(when)}: **${inWords(status)}**${status_detail ? ` (${inWords(status_detail)})` : ''}`

const fileParts = (source: string) => [
  '<details><summary>The file</summary>',
  `\`\`\`yaml\n${source.trimEnd()}\n\`\`\``,
  '</details>',
]

const feedsPage = (feeds: readonly ScenarioInFull[]) =>
  page(
    '# Data feeds',
    'What can happen to the data of a connected device. How to choose one is under [Health data feeds](../docs/feeds.md).',
    ...feeds.flatMap(({ name, summary, steps, source }) => [
      `## ${name}`,
      `${summary} File: [${name}.yaml](../scenarios/feeds/${name}.yaml)`,
      steps.map(({ at_ms, does }) => `1. ${afterOf(at_ms)}: ${does}`).join('\n') ||
        'Nothing goes wrong: the data arrive as they are measured.',
      ...fileParts(source),
    ]),
  )

const personasPage = (personas: readonly ScenarioInFull[]) =>
  page(
    '# Personas',
    'People with a body, conditions and habits. How to choose one is under [People and personas](../docs/feeds.md#people).',
    ...personas.flatMap(({ name, summary, source }) => [
      `## ${name}`,
      `${summary} File: [${name}.yaml](../scenarios/personas/${name}.yaml)`,
      ...fileParts(source),
    ]),
  )
