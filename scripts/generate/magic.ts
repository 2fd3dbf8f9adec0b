import type * as z from 'zod'
import { linkTokenHeaders, managementKeyHeaders } from '../../src/api/credentials.ts'
import { type Feature, type FeatureName, features, liveFeatures } from '../../src/api/features.ts'
import { WebhookFaultsInput } from '../../src/control/webhooks/schema.ts'
import { defaults } from '../../src/defaults.ts'
import { FaultFields } from '../../src/faults/schema.ts'
import { headerNames } from '../../src/kernel/headers.ts'
import { groupBy } from '../../src/kernel/list.ts'
import { type Catalogue, createCatalogue } from '../../src/resources/catalogue/service.ts'
import { magicPayers } from '../../src/resources/checkout/service.ts'
import { linkErrorTexts, sdkHeaders } from '../../src/resources/link/schema.ts'
import { MAGIC_CODE, magicAccounts, magicPasswords, type SignIn } from '../../src/resources/link/service.ts'
import { type Contents, fixtures } from '../../src/resources/report-parser/made-up-report.ts'
import { insteadOfNumbers } from '../../src/resources/results/given.ts'
import { teamKinds } from '../../src/world/choices.ts'

type Row = readonly string[]

/** `docs/magic.md`: all inputs with a special meaning, from the tables in the code. */
export function magicPage(): string {
  const catalogue = createCatalogue()
  const sections = [
    intro,
    headers,
    placeSection(catalogue),
    payerSection(),
    linkSection(),
    fileSection(),
    awkwardSection(),
    featureSection(),
    deliverySection(),
    faultSection(),
  ]
  return `${sections.join('\n\n')}\n`
}

const code = (text: string) => `\`${text}\``

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const intro = [
  '# Magic inputs',
  '',
  'Find the input that makes an ordinary call produce an edge case, and the features that you can switch on in a world. All other',
  'input follows the rules of the service. `npm run generate` writes this page.',
  '',
  '[The bundled scenarios](scenarios.md#bundled-scenarios) list the ZIP codes that select a scenario.',
].join('\n')

/** Every header of Petri, except those of HTTP itself, by who sends it. */
export const headerTable: readonly (readonly [names: readonly string[], sentBy: string, effect: string])[] = [
  [defaults.authHeaders, 'you', 'The API key, which selects the world. `authorization: Bearer` works too.'],
  [linkTokenHeaders, 'you', 'The token of a link session.'],
  [managementKeyHeaders, 'you', 'The key of the [management API](management.md).'],
  [
    [headerNames.scenario],
    'you',
    'The scenario of the order that this call places, or the feed scenario of the connection that it makes.',
  ],
  [[headerNames.persona], 'you', 'The [persona](feeds.md#personas) of the user that this call creates.'],
  [
    [headerNames.idempotencyKey],
    'you',
    'A repeated call with the same key gets the [first response](contract/placing.md#idempotency), if the operation takes the header.',
  ],
  [[headerNames.idempotencyError], 'you', 'With `no-cache`, only a success is remembered for the key.'],
  [
    [headerNames.aside],
    'you, the page',
    'With `1`, a read is not recorded, and does not count toward coverage or faults.',
  ],
  [
    [headerNames.origin],
    'parts of Petri',
    'Which part made the call: those of the `page` are marked in the journal, those of `verify` and `record` are not recorded.',
  ],
  [
    ['svix-id', headerNames.ownCall],
    'Petri',
    'Mark the calls that Petri makes for its users. One that reaches a Petri does not count as a call from this machine.',
  ],
  [sdkHeaders, 'phones', 'The version of the mobile SDK that makes the call.'],
  [
    [headerNames.noRedirect],
    'phones',
    'With `1`, the callback of a provider responds with the result and does not redirect.',
  ],
  [
    [headerNames.clientLanguage],
    'official clients',
    'With `JAVA`, responses have published statuses only ([closed enums](lab-testing.md#clients-with-closed-enums)).',
  ],
  [
    [headerNames.version],
    'Petri',
    'The version of Petri, on every response. The live service does not send it.',
  ],
  [
    [headerNames.requestId],
    'Petri',
    'The id of this call in the request journal: `GET /_petri/requests/{request_id}`.',
  ],
  [[headerNames.hint], 'Petri', 'For a path that does not exist: the most similar operations.'],
]

const headers = [
  '## Headers',
  '',
  table(
    ['Header', 'Sent by', 'What it does'],
    headerTable.map(([names, ...cells]) => [names.map(code).join(', '), ...cells]),
  ),
].join('\n')

function placeSection(catalogue: Catalogue): string {
  const areas = [...catalogue.phlebotomyAreas().values()]
  const sites = [...catalogue.pscSites().values()].filter(
    ({ capabilities, is_active }) =>
      !is_active || capabilities.includes('appointment_scheduling_via_junction'),
  )
  return [
    '## Addresses for appointments',
    '',
    'Phlebotomists visit these ZIP codes only.',
    '',
    table(
      ['Provider', 'What it offers', 'ZIP'],
      grouped(
        areas,
        ({ provider, service_types }) => [
          provider,
          service_types.map((type) => serviceWords[type]).join('; '),
        ],
        ({ zip_code, street }) => code(street === null ? zip_code : `${zip_code}, ${street}`),
      ),
    ),
    '',
    'You can book these patient service centers through the service, those of `sonora_quest` for `quest` too. Inactive ones are rejected.',
    '',
    table(
      ['Laboratory', '', 'Site codes, with the ZIP code'],
      grouped(
        sites,
        ({ lab, is_active }) => [lab, is_active ? 'can be booked' : 'no longer active'],
        ({ site_code, zip_code }) => `${code(site_code)} (${zip_code})`,
      ),
    ),
  ].join('\n')
}

/** A row for each group of values with the same first cells, which lists them in its last cell. */
function grouped<Value>(
  values: readonly Value[],
  firstCells: (value: Value) => Row,
  text: (value: Value) => string,
): Row[] {
  const groups = groupBy(values, (value) => firstCells(value).join(' | '))
  return [...groups.values()].map((group) => [
    ...group.slice(0, 1).flatMap(firstCells),
    group.map(text).join(', '),
  ])
}

const serviceWords: Readonly<Record<string, string>> = {
  'appointment-ready': 'slots are listed and booked immediately',
  'appointment-request': 'an appointment is requested, and confirmed later',
}

const payerSection = () =>
  [
    '## Payments of checkout sessions',
    '',
    'Use the e-mail address of the patient; only the part before the `@` counts. With any other address, the session waits for a payment.',
    '',
    table(
      ['Address', 'What happens'],
      Object.entries(magicPayers).map(([name, { summary }]) => [code(`${name}@example.com`), summary]),
    ),
  ].join('\n')

function linkSection(): string {
  return [
    '## Signing in to a provider (link)',
    '',
    'An account is a user name or an e-mail address; only the part before the `@` counts. All other accounts sign in.',
    '',
    table(
      ['Account', 'Response of the provider'],
      Object.entries(magicAccounts).map(([name, answer]) => [
        code(`${name}@example.com`),
        signInWords(answer),
      ]),
    ),
    '',
    'An account with the name of an error, such as `token_expired@example.com`, gets that error:',
    '',
    table(
      ['Error', 'Message'],
      Object.entries(linkErrorTexts).map(([name, text]) => [code(name), text]),
    ),
    '',
    table(
      ['Password or code', 'Response of the provider'],
      [
        ...Object.entries(magicPasswords).map(([word, error]) => [
          `password ${code(word)}`,
          `${code(error)}: ${linkErrorTexts[error]}`,
        ]),
        ['all other passwords', 'accepted'],
        [`code ${code(MAGIC_CODE)}`, 'completes a two-step sign-in'],
        ['all other codes', `${code('incorrect_mfa_code')}: ${linkErrorTexts.incorrect_mfa_code}`],
      ],
    ),
  ].join('\n')
}

function signInWords(answer: SignIn): string {
  if (answer.state === 'success') return 'signs in'
  if (answer.state === 'error') return `${code(answer.error)}: ${linkErrorTexts[answer.error]}`
  return `asks for a code sent by ${answer.method} to ${code(answer.hint)}`
}

function fileSection(): string {
  return [
    '## Lab reports to parse',
    '',
    'The start of the file name decides, not the content or the ending: `petri-cbc (1).pdf` works too. Any other PDF is parsed, and gets',
    'a made-up report if it has no table of results. A PDF that needs a password fails with `invalid_input`, and a scan with',
    '`low_quality`, after human review if you ask for it. An image gets a made-up report of the laboratory `Petri synthetic report`.',
    '',
    table(
      ['File name', 'Result'],
      Object.entries(fixtures).map(([name, outcome]) => [code(`${name}.pdf`), outcomeWords(outcome)]),
    ),
  ].join('\n')
}

function outcomeWords(outcome: Contents | string): string {
  if (typeof outcome === 'string') return `fails with ${code(outcome)}`
  const { panel, analytes = [], high = [] } = outcome
  if (!panel && analytes.length === 0) return 'a report in which nothing is recognised'
  const held = panel ? `the panel ${code(panel)}` : analytes.map(code).join(', ')
  return high.length > 0 ? `${held}, with ${high.map(code).join(', ')} too high` : held
}

/** What the service may send and few programs have seen, and how a program gets it without the control API. */
const awkward: readonly (readonly [what: string, how: string])[] = [
  [
    'bounds and words in place of numbers, and results that cannot be calculated from them',
    'ZIP code `00218` of a walk-in order',
  ],
  [
    'one such line',
    `${code('PUT /_petri/orders/{order_id}/results')} ${code('{"values": {"ferritin": ">2000"}}')} or ${code('"150-200"')}; words: ${insteadOfNumbers.map(code).join(', ')}`,
  ],
  [
    'a line that nobody ordered (`source_markers: null`)',
    'order creatinine alone at Labcorp, Quest or Sonora Quest: eGFR comes with it',
  ],
  ['null in every field that may be null', 'the feature `sparse`'],
  ['fields and values that clients do not know', 'the feature `unknown_futures`'],
  ['missing results', 'ZIP codes of the scenarios `missing-results`'],
  [
    'names with blanks, an apartment, ZIP+4, 29 February, a centenarian',
    'send them in `patient_details` and `patient_address`; a child needs the feature `minor_ordering`',
  ],
  ['a line twice, once for each panel', 'order two panels with a common test at BioReference'],
  [
    'wearable data of a child, a centenarian, or someone born on 29 February',
    '`client_user_id` that ends with `#child`, `#centenarian`, `#leap-day` or [another persona](feeds.md#personas)',
  ],
  [
    'LOW and HIGH of a glucose sensor, a workout of an unknown sport, data of two apps',
    '`client_user_id` that ends with `#low-at-night`, `#unknown-sport`, `#two-apps` or [another feed scenario](feeds.md#choose-a-feed-scenario)',
  ],
]

const awkwardSection = (): string => ['## Awkward values', '', table(['What', 'How'], awkward)].join('\n')

function featureSection(): string {
  return [
    '## Features of a world',
    '',
    '`PATCH /_petri/world` `{"features": {"parity": "production"}}`; null restores the default, which is the first value. ' +
      '`--like sandbox` and `--like production` switch what the fourth column says, by the source in the fifth.',
    '',
    table(
      ['Feature', 'Values', 'What it does', '`--like`', 'Why'],
      Object.entries<Feature>(features).map(([name, { kind, default: initially, summary, needs }]) => {
        const values = kind === 'boolean' ? [initially, !initially] : kind
        const live = liveFeatures[name as FeatureName]
        const switched = teamKinds.filter((team) => live[team] !== undefined)
        return [
          code(name),
          values.map((value) => code(String(value))).join(', '),
          needs ? `${summary} Needs ${needs}.` : summary,
          switched.map((team) => `${team} ${code(String(live[team]))}`).join(', ') || '–',
          live.why,
        ]
      }),
    ),
  ].join('\n')
}

const deliverySection = () =>
  [
    '## Webhook faults',
    '',
    '`PUT /_petri/webhooks/faults`, or `webhook_faults:` in a scenario for the events of its orders.',
    '',
    fieldTable(WebhookFaultsInput()),
  ].join('\n')

const faultSection = () =>
  [
    '## Calls that fail',
    '',
    '`PUT /_petri/faults` `{"faults": [...]}`, or `faults:` in a scenario for calls about its orders.',
    '',
    fieldTable(FaultFields()),
  ].join('\n')

/** A table of an object's fields, with the descriptions of its schema. */
const fieldTable = ({ shape }: z.ZodObject) =>
  table(
    ['Field', 'What it does'],
    Object.entries(shape).map(([name, field]) => [code(name), (field as z.ZodType).description ?? '']),
  )
