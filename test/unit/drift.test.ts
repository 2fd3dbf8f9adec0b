import { describe, expect, it } from 'vitest'
import { compareDescriptions } from '../../src/tools/drift/compare.ts'
import { readDescription } from '../../src/tools/drift/description.ts'
import { render } from '../../src/tools/drift/report.ts'

type Json = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const object = (properties: Json, required: string[] = []) => ({ type: 'object', properties, required })

interface Parts {
  readonly schemas?: Json
  readonly webhooks?: Json
  readonly paths?: Json
}

/** A description of one operation that takes a visit and answers it. */
const described = ({ schemas = {}, webhooks = {}, paths = {} }: Parts = {}) =>
  readDescription({
    openapi: '3.1.0',
    info: { title: 'Made up', version: '2' },
    paths: {
      '/visit/{visit_id}': {
        post: { requestBody: json(ref('Visit')), responses: { 200: json(ref('Visit')), 404: json({}) } },
      },
      ...paths,
    },
    webhooks,
    components: {
      schemas: {
        Visit: object({ id: { type: 'string' }, state: ref('State'), parent: ref('Visit') }, ['id']),
        State: { type: 'string', enum: ['open', 'closed'] },
        ...schemas,
      },
    },
  })

const lines = (newer: Parts, served: Parts = {}) =>
  compareDescriptions(described(newer), described(served)).map(({ kind, change, where, path, detail }) =>
    [kind, change, where, path, detail].filter(Boolean).join(' '),
  )

describe('two descriptions', () => {
  it('that say the same do not differ, whatever their parameters and schemas are called', () => {
    expect(lines({})).toEqual([])
    const renamed = described()
    const served = readDescription({
      openapi: '3.1.0',
      paths: {
        '/visit/{id}': {
          post: { requestBody: json(ref('Call')), responses: { 201: json({ allOf: [ref('Call')] }) } },
        },
      },
      components: {
        schemas: {
          Call: object(
            {
              id: { type: 'string' },
              state: { enum: ['closed', 'open'], type: 'string' },
              parent: ref('Call'),
            },
            ['id'],
          ),
        },
      },
    })
    expect(compareDescriptions(renamed, served)).toEqual([])
  })

  it('differ in operations', () => {
    const paths = { '/visits': { get: { responses: {} } } }
    expect(lines({ paths })).toEqual(['operation added GET /visits'])
    expect(lines({}, { paths })).toEqual(['operation gone GET /visits'])
    expect(lines({}, { paths: { '/_petri/visits': { get: { responses: {} } } } })).toEqual([])
    const managed = { get: { security: [{ managementKey: [] }], responses: {} } }
    expect(lines({}, { paths: { '/v1/org': managed } })).toEqual([])
  })

  it('differ in parameters', () => {
    const paths = (...parameters: Json[]) => ({ '/visits': { get: { parameters, responses: {} } } })
    const page = { in: 'query', name: 'page', schema: { type: 'integer' } }
    const text = { ...page, required: true, schema: { type: 'string' } }
    const header = { in: 'header', name: 'X-Trace', required: true }
    expect(
      lines({ paths: paths(text, header) }, { paths: paths(page, { in: 'query', name: 'old' }) }),
    ).toEqual([
      'parameter changed GET /visits query.page optional -> required',
      'parameter added GET /visits header.x-trace required',
      'parameter gone GET /visits query.old optional',
      'field changed GET /visits query.page integer -> string',
    ])
  })

  it('differ in fields, each told once under the name of its schema', () => {
    const Visit = object(
      { id: { type: ['string', 'null'] }, state: ref('State'), place: { type: 'string' } },
      ['id', 'place'],
    )
    expect(lines({ schemas: { Visit } })).toEqual([
      'field added Visit place required',
      'field gone Visit parent optional',
      'field changed Visit id string -> null or string',
    ])
  })

  it('differ in whether a field must be there, but not where Petri sends more than it must', () => {
    const Visit = object({ id: { type: 'string' }, state: ref('State'), parent: ref('Visit') }, ['state'])
    const [difference, ...others] = compareDescriptions(described({ schemas: { Visit } }), described())
    expect(difference).toMatchObject({ path: 'id', detail: 'required -> optional' })
    expect(others.map(({ path, detail }) => `${path} ${detail}`)).toEqual(['state optional -> required'])
  })

  it('differ in the values of an enum, also behind null, lists and maps', () => {
    const State = { type: 'string', enum: ['open', 'late'] }
    expect(lines({ schemas: { State } })).toEqual(['value added State late', 'value gone State closed'])
    const wrapped = (schema: unknown) =>
      object({
        id: { anyOf: [{ type: 'array', items: schema }, { type: 'null' }] },
        by: { additionalProperties: schema },
      })
    const values = (...all: string[]) => ({ enum: all })
    expect(
      lines({ schemas: { Visit: wrapped(values('a', 'b')) } }, { schemas: { Visit: wrapped(values('a')) } }),
    ).toEqual(['value added Visit id[] b', 'value added Visit by.* b'])
    expect(lines({ schemas: { State: { type: 'string' } } })).toEqual([
      'value changed State one of a list -> any value',
    ])
  })

  it('differ in events, of which one entry may describe several', () => {
    const event = (types: string[], data: unknown) => ({
      post: { requestBody: json(object({ event_type: { type: 'string', enum: types }, data })) },
    })
    const served = {
      'visit.made': event(['visit.made'], ref('Visit')),
      'visit.gone': event(['visit.gone'], ref('Visit')),
    }
    const newer = { 'visit.*': event(['visit.made', 'visit.moved'], object({ id: { type: 'integer' } })) }
    expect(lines({ webhooks: newer }, { webhooks: served })).toEqual([
      'field gone visit.made data.state optional',
      'field gone visit.made data.parent optional',
      'field changed visit.made data.id string -> integer',
      'event added visit.moved',
      'event gone visit.gone',
    ])
    expect(lines({}, { webhooks: served })).toEqual([])
  })

  it('are compared also if their schemas are recursive', () => {
    const circles = {
      Visit: { allOf: [ref('Visit'), { properties: { id: { type: 'integer' }, next: ref('Visit') } }] },
      State: { $ref: '#/components/schemas/State' },
    }
    expect(lines({ schemas: circles }, { schemas: circles })).toEqual([])
    expect(lines({ schemas: circles })).toContain('field changed Visit id string -> integer')
  })

  it('are compared in a moment though alternatives multiply', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`S${at}`, { anyOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] }]),
    )
    const schemas = { ...doubling, Visit: ref('S0'), S60: object({ id: { type: 'string' } }) }
    expect(lines({ schemas }, { schemas: { Visit: object({ id: { type: 'integer' } }) } })).toEqual([
      'field changed S0 id integer -> string',
    ])
  })

  it('are refused when they are nested too deep', () => {
    let Visit: Json = { type: 'string' }
    for (let level = 0; level < 100; level++) Visit = object({ id: Visit })
    expect(() => lines({ schemas: { Visit } }, { schemas: { Visit } })).toThrow(
      'is nested too deep to be compared',
    )
  })
})

describe('a report of drift', () => {
  const differences = compareDescriptions(
    described({ schemas: { State: { type: 'string', enum: ['open', 'closed', 'a|b `c`'] } } }),
    described({ paths: { '/visits': { get: { responses: {} } } } }),
  )
  const report = { version: '2', differences, accepted: 1 }
  const wording = { title: 'Drift', between: 'between version 2 and what Petri serves (1)' }

  it('is written as text', () => {
    expect(render(report, {}, wording)).toBe(
      [
        'Operations',
        '  - GET /visits',
        '',
        'Values of enums',
        '  + State: a|b `c`  (POST /visit/{visit_id})',
        '',
        '2 differences between version 2 and what Petri serves (1); 1 known difference left out.',
      ].join('\n'),
    )
  })

  it('is written as Markdown whose tables hold', () => {
    const rows = render(report, { markdown: true }, wording)
      .split('\n')
      .filter((line) => line.startsWith('|'))
    expect(rows).toContain('| added | `State` | `a b c ` | POST /visit/{visit\\_id} |')
    expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 6)).toBe(true)
  })

  it('is written as JSON', () => {
    expect(JSON.parse(render(report, { json: true }, wording))).toEqual(report)
  })
})
