import { describe, expect, it } from 'vitest'
import { ehrPipelines, etlOutbox, etlPipelines, etlTargets } from '../../src/resources/etl/table.ts'
import { sent } from '../../src/resources/introspection/table.ts'
import { people } from '../../src/resources/personas/table.ts'
import { continuousQueries, resultTables, tasks } from '../../src/resources/sense/table.ts'
import { storedFeeds, storedSamples } from '../../src/resources/timeseries/table.ts'
import type { AnyTable } from '../../src/storage/table.ts'

const pipeline = {
  id: 'pipeline',
  push_historical_data: true,
  provider_raw_data: false,
  preferences: { preferred: 'rabbitmq', enabled: ['rabbitmq', 'svix', 'cloud_pubsub', 'azure_amqp'] },
  destinations: { rabbitmq: { uri: 'amqps://mq.example', exchange: 'events' } },
  event_type_prefixes: ['daily.'],
}
const target = {
  id: 'target',
  url: 'https://app.example/',
  failures: 0,
  last_error: null,
  delivered: 5,
}
const ehr = {
  ehr_type: 'fhir',
  base_url: 'https://ehr.example',
  authentication: { type: 'api_key', api_key: '**********' },
  allowed_mappers: null,
}
const secret = { type: 'client_credentials', client_id: 'a', client_secret: 'b', token_url: 'c' }
const google = { type: 'google_iam', service_account_email: 'a', audience: 'b' }

const finding = { name: 'hypertension', since: '2026-01-05', until: null, degree: 1 }
const sign = { slug: 'sodium', side: 'above', mild: 1.1, severe: 2 }
const condition = { ...finding, isDiagnosed: true }
const treatment = { name: 'statin', since: '2026-01-05', until: '2026-02-05' }
const episode = { name: 'illness', since: '2026-01-05', until: '2026-01-09', degree: 0.5 }
const course = {
  traits: { restingHeart: 50 },
  conditions: [condition],
  treatments: [treatment],
  episodes: [episode],
}
const persona = { name: 'mine', begins: '2026-01-05', sex: null, birth_date: null, course }
const person = { user_id: 'ada', findings: [], persona: null }
const following = (change: object) => ({
  ...person,
  persona: { ...persona, course: { ...course, ...change } },
})

const data = {
  user_id: 'ada',
  provider: 'oura',
  resource: 'sleep',
  last_at: 1,
  oldest_data: null,
  sent_count: 0,
  newest_data: '2026-01-05T09:00:00+00:00',
}

const feed = {
  user_id: 'ada',
  series: 'heartrate',
  provider: 'oura',
  source_type: 'ring',
  first: -62_135_596_800_000,
  last: 1_767_000_000_000.125,
}
const measurement = { start: 1000, end: 1000, offsetSeconds: null, value: 61.5, type: null }
const kept = { id: 'ada/heartrate/oura/ring/1000', day: 'ada/heartrate/oura/ring/0', sample: measurement }
const keeping = (change: object) => ({ ...kept, sample: { ...measurement, ...change } })

const QUERY = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11'
const USER = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e12'
const asked = {
  id: QUERY,
  slug: 'nights',
  title: 'Nights',
  created_at: '2026-01-05T09:00:00+00:00',
  resource: 'sleep',
  query: { select: [{ index: 'sleep' }], group_by: [] },
  query_config: {},
}
const results = {
  query_id: QUERY,
  user_id: USER,
  lines: [{ keys: ['2026-01-05'], cells: [1.5, 'a', true, null, ['b']] }],
}
const task = {
  query_id: QUERY,
  user_id: USER,
  ordinal: 3,
  status: 'scheduled',
  error_details: null,
  scheduled_at: '2026-01-05T09:00:00+00:00',
  started_at: null,
  ended_at: null,
}

const taken: readonly [AnyTable, string, readonly object[]][] = [
  [etlPipelines, 'pipeline', [pipeline, { ...pipeline, event_type_prefixes: null, destinations: {} }]],
  [etlTargets, 'target', [target, { ...target, failures: 3, last_error: 'no' }]],
  [etlOutbox, 'msg_1', [{ event_id: 'msg_1' }]],
  [
    ehrPipelines,
    'fhir',
    [ehr, ...[secret, google].map((authentication) => ({ ...ehr, authentication, allowed_mappers: ['a'] }))],
  ],
  [ehrPipelines, 'hint_health', [{ ...ehr, ehr_type: 'hint_health' }]],
  [
    people,
    'ada',
    [
      person,
      {
        ...person,
        findings: [
          finding,
          { ...finding, degree: 0, sign },
          { ...finding, sign: { ...sign, side: 'below' } },
        ],
      },
      { ...person, persona },
      ...['female', 'male'].map((sex) => ({
        ...person,
        persona: { ...persona, sex, birth_date: '1990-01-01' },
      })),
    ],
  ],
  [storedFeeds, 'ada/heartrate/oura/ring', [feed]],
  [
    storedSamples,
    kept.id,
    [
      kept,
      keeping({ offsetSeconds: -3600, value: 'felt well', type: 'kind' }),
      keeping({ value: null, more: { systolic: 120, diastolic: 80 } }),
    ],
  ],
  [continuousQueries, QUERY, [asked]],
  [resultTables, `${QUERY}/${USER}`, [results, { ...results, lines: [] }]],
  [tasks, '3', [task, { ...task, status: 'error', error_details: 'too many' }]],
  [sent, 'ada/oura/sleep', [data, { ...data, oldest_data: '2026-01-05T09:00:00Z', newest_data: null }]],
]

const refused: readonly (readonly [AnyTable, object, string])[] = [
  [etlPipelines, { ...pipeline, id: 'other' }, 'id'],
  [etlPipelines, { ...pipeline, push_historical_data: 1 }, 'push_historical_data'],
  [etlPipelines, { ...pipeline, preferences: { preferred: 'kafka', enabled: [] } }, 'preferences.preferred'],
  [etlPipelines, { ...pipeline, preferences: { preferred: 'svix', enabled: [''] } }, 'preferences.enabled.0'],
  [etlPipelines, { ...pipeline, destinations: { kafka: {} } }, 'destinations'],
  [etlPipelines, { ...pipeline, event_type_prefixes: [5] }, 'event_type_prefixes.0'],
  [etlTargets, { ...target, id: '' }, 'id'],
  [etlTargets, { ...target, url: 'nowhere' }, 'url'],
  [etlTargets, { ...target, failures: -1 }, 'failures'],
  [etlTargets, { ...target, delivered: 0.5 }, 'delivered'],
  [etlOutbox, {}, 'event_id'],
  [ehrPipelines, { ...ehr, ehr_type: 'other' }, 'ehr_type'],
  [ehrPipelines, { ...ehr, base_url: null }, 'base_url'],
  [ehrPipelines, { ...ehr, authentication: { ...ehr.authentication, type: '' } }, 'authentication.type'],
  [ehrPipelines, { ...ehr, authentication: { ...secret, client_secret: 5 } }, 'authentication.client_secret'],
  [ehrPipelines, { ...ehr, authentication: { ...google, audience: 5 } }, 'authentication.audience'],
  [ehrPipelines, { ...ehr, authentication: { type: 'api_key' } }, 'authentication.api_key'],
  [people, { ...person, findings: [{ ...finding, name: 'none' }] }, 'findings.0.name'],
  [people, { ...person, findings: [{ ...finding, since: 'today' }] }, 'findings.0.since'],
  [people, { ...person, findings: [{ ...finding, degree: 1.1 }] }, 'findings.0.degree'],
  [people, { ...person, findings: [{ ...finding, degree: -0.1 }] }, 'findings.0.degree'],
  [people, { ...person, findings: [{ ...finding, sign: { ...sign, side: '' } }] }, 'findings.0.sign.side'],
  [people, { ...person, findings: [{ ...finding, sign: { ...sign, mild: '1' } }] }, 'findings.0.sign.mild'],
  [people, { ...person, persona: { ...persona, sex: '' } }, 'persona.sex'],
  [people, { ...person, persona: { ...persona, begins: 'today' } }, 'persona.begins'],
  [people, following({ traits: { none: 1 } }), 'persona.course.traits'],
  [people, following({ conditions: [finding] }), 'persona.course.conditions.0.isDiagnosed'],
  [people, following({ treatments: [{ ...treatment, name: 'none' }] }), 'persona.course.treatments.0.name'],
  [people, following({ episodes: [{ ...episode, until: null }] }), 'persona.course.episodes.0.until'],
  ...(['user_id', 'series', 'provider', 'source_type', 'first', 'last'] as const).map(
    (field) => [storedFeeds, { ...feed, [field]: null }, field] as const,
  ),
  [storedSamples, { ...kept, id: 1000 }, 'id'],
  [storedSamples, { ...kept, day: 0 }, 'day'],
  [storedSamples, { ...kept, sample: null }, 'sample'],
  ...Object.entries({ start: '1000', end: null, offsetSeconds: '+1', value: false, type: 5, more: null }).map(
    ([field, value]) => [storedSamples, keeping({ [field]: value }), `sample.${field}`] as const,
  ),
  [continuousQueries, { ...asked, id: 'nights' }, 'id'],
  ...(['slug', 'title', 'created_at', 'resource', 'query_config'] as const).map(
    (field) => [continuousQueries, { ...asked, [field]: null }, field] as const,
  ),
  [continuousQueries, { ...asked, query: { select: [] } }, 'query.select'],
  [resultTables, { ...results, query_id: 1 }, 'query_id'],
  [resultTables, { ...results, user_id: 1 }, 'user_id'],
  [resultTables, { ...results, lines: [{ keys: [], cells: [{}] }] }, 'lines.0.cells.0'],
  [resultTables, { ...results, lines: [{ keys: [[1]], cells: [] }] }, 'lines.0.keys.0'],
  [tasks, { ...task, ordinal: -1 }, 'ordinal'],
  [tasks, { ...task, status: 'done' }, 'status'],
  [sent, { ...data, last_at: '2026' }, 'last_at'],
  [sent, { ...data, sent_count: -1 }, 'sent_count'],
  [sent, { ...data, newest_data: 'now' }, 'newest_data'],
]

describe('a row of a state that is imported', () => {
  it.each(taken.map(([table, id, rows]) => [table.name, id, table, rows] as const))(
    'of %s is known as %s',
    (_, id, { schema, idOf }, rows) => {
      for (const row of rows) {
        expect(schema().parse(row)).toEqual(row)
        expect(idOf(row as never)).toBe(id)
      }
    },
  )

  it.each(refused.map(([table, row, field]) => [table.name, field, table, row] as const))(
    'of %s is refused for its %s',
    (_, field, { schema }, row) => {
      expect(schema().safeParse(row).error?.issues[0]?.path.join('.')).toBe(field)
    },
  )

  it('of a condition leaves out the result that showed it', () => {
    const row = following({ conditions: [{ ...condition, sign }] })
    expect(people.schema().parse(row)).toEqual(following({}))
  })
})
