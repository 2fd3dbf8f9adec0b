import { describe, expect, it } from 'vitest'
import {
  inWords,
  isFinding,
  readFeed,
  readPersona,
  readScenario,
  ScenarioError,
} from '../../src/scenarios/read.ts'

const head = ['name: mine', 'summary: A scenario of mine.', 'method: testkit']
const file = (...steps: string[]) => [...head, 'steps:', ...steps.map((step) => `  - { ${step} }`)].join('\n')
const cancelled = 'after: 1d, status: cancelled'

function issuesOf(source: string, read: (source: string, file: string) => unknown = readScenario) {
  try {
    read(source, 'mine.yaml')
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.issues
    throw error
  }
}
const refusals = (source: string, read?: Parameters<typeof issuesOf>[1]) =>
  issuesOf(source, read).map(inWords)

describe('a file that is no scenario', () => {
  it.each(['', 'null'])('is empty, with what it needs: %j', (text) => {
    expect(refusals(text)).toEqual([
      'mine.yaml:1: the file is empty; a scenario has name, summary, method and steps',
    ])
    expect(refusals(text, readFeed)).toEqual([
      'mine.yaml:1: the file is empty; a scenario has kind, name, summary and steps',
    ])
  })

  it.each(['[]', 'x', '5'])('is no object: %j', (text) => {
    expect(refusals(text)).toEqual([
      'mine.yaml:1: the file must be an object; a scenario has name, summary, method and steps',
    ])
  })

  it('is refused where a second document begins', () => {
    expect(refusals(`${file(cancelled)}\n---\nname: other`)).toEqual([
      'mine.yaml:6: a second document begins here; write each into a separate file',
    ])
  })

  it('is refused with the lines of what is no YAML', () => {
    expect(refusals('a: [\nb: 1')).toEqual([
      'mine.yaml:2: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ])
    expect(refusals(']\n'.repeat(51))).toHaveLength(50)
  })

  it('is refused when it contains itself, or repeats too much', () => {
    expect(refusals('a: &a [*a]')).toEqual([
      'mine.yaml:1: this contains itself by a YAML alias (*name); write it out',
    ])
    const ten = (name: string) => `[${Array(10).fill(name).join(',')}]`
    const much = `a: &a ${ten('1')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nd: &d ${ten('*c')}`
    expect(refusals(much)).toEqual([
      'mine.yaml:1: this repeats too much by YAML aliases (*name); write it out',
    ])
  })

  it('is refused with the lines of aliases without an anchor before them', () => {
    const why = (name: string) =>
      `there is no anchor &${name} before the YAML alias *${name}; write "*${name}" if a text is meant`
    expect(refusals('name: mine\na: *b\nc: [*d]\nd: &d 1')).toEqual([
      `mine.yaml:2: ${why('b')}`,
      `mine.yaml:3: ${why('d')}`,
    ])
    expect(refusals('*b')).toEqual([`mine.yaml:1: ${why('b')}`])
    expect(refusals('a: &b 1\nc: *b').join()).not.toContain('alias')
    expect(refusals('a: "*b"').join()).not.toContain('alias')
  })

  it.each([
    ['letters', (count: number) => '#'.padEnd(count, 'x'), 128 * 1024, 'long'],
    ['separators', (count: number) => `# ${':'.repeat(count)}`, 1000, 'long'],
    ['list entries', (count: number) => `# ${','.repeat(count)}`, 1000, 'long'],
    ['explicit keys', (count: number) => `# ${'?'.repeat(count)}`, 1000, 'long'],
    ['anchors', (count: number) => `# ${' &a'.repeat(count)}`, 100, 'long'],
    ['aliases', (count: number) => `# ${',*a'.repeat(count)}`, 100, 'long'],
    ['lists in each other', (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`, 40, 'deep'],
    ['dashes', (count: number) => `${'- '.repeat(count)}1`, 39, 'deep'],
  ] as const)('may have so many %s and no more', (_, textOf, most, why) => {
    const told = (count: number) => refusals(textOf(count))[0] ?? ''
    expect(told(most)).not.toMatch(/too (long|deep)/)
    expect(told(most + 1)).toMatch(
      why === 'long' ? /^mine.yaml:1: this is too long/ : /^mine.yaml:1: this is nested too deep/,
    )
  })
})

describe('a message about a field', () => {
  const changed = (from: string, to: string) => refusals(file(cancelled).replace(from, to))

  it('of a number where a text belongs has what is wrong with the text, too', () => {
    const withZip = (zip: string) => changed('method: testkit', `method: testkit\nmatch: { zip: ${zip} }`)
    const quotes = (value: number) => `mine.yaml:4: zip must be string; it is ${value}, so write it in quotes`
    expect(withZip('85004')).toEqual([
      quotes(85004),
      'mine.yaml:4: zip "85004" is not a magic ZIP, which are 00100 to 00499',
    ])
    // YAML reads the digits without the zeros before them.
    expect(withZip('00500')).toEqual([
      quotes(500),
      'mine.yaml:4: zip "00500" is not a magic ZIP, which are 00100 to 00499',
    ])
    expect(withZip('00499')).toEqual([quotes(499)])
    expect(withZip('"00499"')).toEqual([])
  })

  it('has the value that is written there, if it is a short one', () => {
    expect(changed('A scenario of mine.', '5')).toEqual([
      'mine.yaml:2: summary must be string; it is 5, so write it in quotes',
    ])
    expect(changed('A scenario of mine.', 'true')).toEqual([
      'mine.yaml:2: summary must be string; it is true, so write it in quotes',
    ])
    expect(changed('A scenario of mine.', '""')).toEqual([
      'mine.yaml:2: summary must have at least 1 character; it is ""',
    ])
    expect(changed('name: mine', 'name: [1]')).toEqual(['mine.yaml:1: name must be string'])
    expect(changed('name: mine', 'name: {}')).toEqual(['mine.yaml:1: name must be string'])
    const long = 'A'.repeat(78)
    expect(changed('name: mine', `name: ${long}`)[0]).toContain(`name "${long}" is not a scenario name`)
    expect(changed('name: mine', `name: ${long}A`)[0]).toContain('name is not a scenario name')
  })

  it('names the nearest value or word, if one is near', () => {
    const methods = 'method must be one of testkit, walk_in_test, at_home_phlebotomy, on_site_collection'
    expect(changed('testkit', 'testkitt')).toEqual([
      `mine.yaml:3: ${methods}; it is "testkitt". Did you mean "testkit"?`,
    ])
    expect(changed('testkit', 'zzzzzzzzzzz')).toEqual([`mine.yaml:3: ${methods}; it is "zzzzzzzzzzz"`])
    expect(changed('testkit', '{ a: 1 }')).toEqual([`mine.yaml:3: ${methods}`])
    expect(changed('name: mine', 'name: mine\nzzzzz: 1')).toEqual(['mine.yaml:2: "zzzzz" is not known here.'])
    expect(changed('name: mine', 'nmae: mine')).toEqual([
      'mine.yaml:1: "nmae" is not known here. Did you mean "name"?',
    ])
  })

  it('is about the kind of step that was meant', () => {
    const about = (step: string) =>
      issuesOf(file(step)).map(({ path, message }) => `${String(path?.at(-1))}: ${message}`)
    expect(about('await: registraton, only: registrable_kit')).toEqual([
      'await: await must be one of registration, appointment; it is "registraton". Did you mean "registration"?',
    ])
    expect(about('after: 1h, appointmnt: start')).toEqual([
      'appointmnt: "appointmnt" is not known here. Did you mean "appointment"?',
    ])
    expect(about('afte: 1h, status: cancelled')).toEqual([
      'afte: "afte" is not known here. Did you mean "after"?',
    ])
    expect(about('status: cancelled')).toEqual([
      'after: after is missing; a step has one of after, at and before',
    ])
    expect(about('after: 1h, appointment: strat')).toEqual([
      expect.stringContaining('appointment must be one of start, complete, no_show'),
    ])
    expect(about('after: 1h, status: cancelled, results: { missing: 5 }')).toEqual([
      'missing: missing must be array; it is 5',
    ])
    expect(about('after: 1h, status: cancelled, results: 5, force: 5')).toEqual([
      'force: force must be one of true; it is 5',
      'results: results must be object; it is 5',
    ])
    expect(about('after: 1h, status: cancelled, results: 5, force: 5, appointment: strat')).toEqual([
      'force: force must be one of true; it is 5',
      'results: results must be object; it is 5',
      'appointment: "appointment" is not known here.',
    ])
  })

  it('of a step that is none has the line of the step', () => {
    const issues = issuesOf(`${head.join('\n')}\nsteps:\n  - ${'5'}\n  - null\n  - [1]`)
    expect(issues.map(({ line, step, message }) => `${line} ${step} ${message}`)).toEqual([
      '5 1 0 must be object; it is 5',
      '6 2 1 must be object; it is null',
      '7 3 2 must be object',
    ])
    expect(refusals(`${head.join('\n')}\nsteps: 5`)).toEqual(['mine.yaml:4: steps must be array; it is 5'])
  })

  it('of webhook faults says the limits', () => {
    const told = (rules: string) => refusals(`${file(cancelled)}\nwebhook_faults: { ${rules} }`)
    expect(told('duplicate: 100, reorder: 100, delay: 1h, burst: 100, bad_signature: true')).toEqual([])
    expect(told('duplicate: 0, reorder: true, burst: 0, drop_first: 0, stale_timestamp: false')).toEqual([])
    for (const rule of [
      'duplicate: 101',
      'burst: 101',
      'duplicate: -1',
      'burst: 1.5',
      'delay: soon',
      'bad_signature: 1',
    ])
      expect(told(rule), rule).toHaveLength(1)
  })

  it('of a fault names the nearest operation', () => {
    const told = (fault: string) => refusals(`${file(cancelled)}\nfaults: [${fault}]`)
    expect(told('{ operation: "GET /v3/order/{order_id}/result", respond: { status: 503 } }')).toEqual([])
    expect(told('{ operation: "GET /v3/order/{order_id}/reslt", respond: { status: 503 } }')).toEqual([
      expect.stringMatching(
        /is not an operation of the service\. Did you mean "GET \/v3\/order\/\{order_id\}\/result"\?$/,
      ),
    ])
    expect(told('{ operation: "GET /v3/order/{order_id}/result" }')).toEqual([
      expect.stringContaining('has no effect; give respond, latency or drop'),
    ])
    expect(issuesOf(`${file(cancelled)}\nfaults: [{ operation: nothing, drop: reset }]`)).toMatchObject([
      { line: 6, path: ['faults', 0, 'operation'] },
    ])
    const twenty = (count: number) =>
      Array(count).fill('{ operation: "GET /v3/order/{order_id}", drop: reset }').join(', ')
    expect(told(twenty(20))).toEqual([])
    expect(told(twenty(21))).toEqual(['mine.yaml:6: faults must have at most 20 items'])
  })
})

describe('the rest of a file with mistakes', () => {
  it('is checked up to the first step that says too little', () => {
    const told = (...steps: string[]) => issuesOf(file(...steps)).map(({ step }) => step)
    expect(told('after: 1d, status: completed', 'after: 1d', 'after: 1d, status: completed')).toEqual([
      2, 1, 1,
    ])
    expect(told('after: 1d', 'after: 1d, status: completed')).toEqual([1])
    expect(told('await: registration, only: a', 'after: 1d, status: completed')).toEqual([1])
    // The mistake of a step leaves the same field of the next one.
    expect(
      told('after: 1d, status: cancelled, force: 5', 'after: 1d, status: completed, force: true'),
    ).toEqual([1])
  })

  it('is not checked without a method or a list of steps', () => {
    const broken = file('after: 1d, status: completed')
    expect(refusals(broken.replace('testkit', 'kit'))).toHaveLength(1)
    expect(
      refusals(broken.replace('name: mine', 'name: 5').replace('A scenario of mine.', '""')),
    ).toHaveLength(4)
  })
})

describe('the name of a scenario', () => {
  it('has lower-case letters, digits and single hyphens', () => {
    const isAccepted = (name: string) => refusals(file(cancelled).replace('mine', name)).length === 0
    for (const name of ['a', '"1"', 'a1', '1a', 'a-b-c', 'walk-in-2'])
      expect(isAccepted(name), name).toBe(true)
    for (const name of ['-a', 'a-', 'a--b', 'A', 'a_b', 'ä', 'a b', '"a\\n"'])
      expect(isAccepted(name), name).toBe(false)
  })
})

describe('a message about what was added', () => {
  it.each([
    ['webhook_faults: { delay: 5 }', 'delay 5 is not a duration; write 30m, 4h, 2d or 1d12h'],
    ['webhook_faults: { respel: 1 }', '"respel" is not known here. Did you mean "respell"?'],
    [
      'webhook_faults: [{}, { burst: 101 }]',
      'rule 2 of webhook_faults: burst must be at most 100; it is 101',
    ],
    ['webhook_faults: [{}, 5]', 'rule 2 of webhook_faults must be object; it is 5'],
    ['patern: 1', '"patern" is not known here. Did you mean "after"?'],
    ['results: 1', '"results" is not known here.'],
  ])('is this alone: %s', (more, message) => {
    expect(refusals(`${file(cancelled)}\n${more}`)).toEqual([`mine.yaml:6: ${message}`])
  })

  it('does not hide a missing field elsewhere', () => {
    expect(refusals(`${file(cancelled)}\noperaton: 5\nfaults: [{ drop: reset }]`)).toEqual([
      'mine.yaml:7: operation is missing',
      'mine.yaml:6: "operaton" is not known here. Did you mean "operation"?',
    ])
    expect(refusals(`${file(cancelled)}\nwebhook_fault: 5\nwebhook_faults: { zzzzz: 1 }`)).toHaveLength(2)
  })

  it.each([
    [
      'name: mine\nsummary: x\nsteps: []',
      '3: method is missing; it is one of testkit, walk_in_test, at_home_phlebotomy, on_site_collection',
    ],
    ['[]', '3: the file must be an object; a scenario has name, summary, method and steps'],
  ])('has the line where the file begins: %j', (source, message) => {
    expect(refusals(`# Comment\n\n${source}`)).toEqual([`mine.yaml:${message}`])
  })
})

it('a warning about one of several webhook faults has its line', () => {
  const faults = 'webhook_faults:\n  - { burst: 1 }\n  - { event: completed, respell: true }'
  expect(readScenario(`${file(cancelled)}\n${faults}`, 'mine.yaml').warnings.map(inWords)).toEqual([
    'mine.yaml:8: the event completed never comes in this scenario, so this rule has no effect',
  ])
})

describe('a scenario of another kind', () => {
  it('is read by its own rules', () => {
    const feed = 'kind: feed\nname: mine\nsummary: x\nsteps:\n'
    expect(
      refusals(`${feed}  - { after: 1h, disconnect: true }\n  - { after: 1h, gap: 2h }`, readFeed),
    ).toEqual(['mine.yaml:6: step 2: gap: a connection that has ended brings nothing; legal: reconnect'])
    expect(refusals(`${feed}  - { after: 1h, duplicate: 1h, of: [] }`, readFeed)).toEqual([
      'mine.yaml:5: step 1: of must have at least 1 item',
    ])
    expect(refusals('kind: persona\nname: mine\nsummary: 5', readPersona)).toEqual([
      'mine.yaml:3: summary must be string; it is 5, so write it in quotes',
    ])
    expect(readPersona('kind: persona\nname: mine\nsummary: x', 'mine.yaml').name).toBe('mine')
  })

  it.each([
    ['kind: finding', true],
    ['a: 1\n"kind" : "finding"', true],
    ['{ a: 1, kind: finding }', true],
    ['kind: findings', false],
    ['a: kind: finding', false],
    ['history: \n  seed: 5', true],
    ['a: 1\nhistory:\n seed: 5', true],
    ['my-history:\n  seed: 5', false],
    ['history:\nseed: 5', false],
  ])('is a finding if it says so: %j', (source, isOne) => {
    expect(isFinding(source)).toBe(isOne)
    const told = refusals(source).join()
    expect(told.includes('this is a finding, which "petri explore" plays and no order follows')).toBe(isOne)
  })
})
