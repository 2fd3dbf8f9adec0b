import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { happyHistory } from '../../src/tools/explore/compile.ts'
import { writeFinding } from '../../src/tools/explore/finding-file.ts'
import { startPetri, stop } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const newFolder = () => makeFolder('petri-files-')

/** Runs a command with files of a folder; what it prints names them without the folder. */
async function runIn(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = await runPetri(args.map((arg) => arg.replace(/^@/, `${folder}/`)))
  const within = (text: string) => text.replaceAll(`${folder}/`, '')
  return { status, stdout: within(stdout), stderr: within(stderr) }
}

describe('petri scenario new', () => {
  it.each([
    ['--method', 'testkit'],
    ['--method', 'walk_in_test'],
    ['--method', 'at_home_phlebotomy'],
    ['--method', 'on_site_collection'],
    ['--feed'],
    ['--from', 'walk-in-no-show'],
  ])('writes a file that is fine, and its schema beside it: %s %s', { tags: 'slow' }, async (...options) => {
    const cwd = newFolder()
    const { stdout } = await runIn(cwd, 'scenario', 'new', 'mine', '--folder', '@own', ...options, '--json')
    const { file } = JSON.parse(stdout)
    const text = readFileSync(join(cwd, file), 'utf8')
    const schema = /^# yaml-language-server: \$schema=(\S+)\n\nname: mine\n/.exec(text)?.[1] ?? ''
    const { title } = JSON.parse(readFileSync(resolve(cwd, dirname(file), schema), 'utf8'))
    expect(title).toBe(options.includes('--feed') ? 'A Petri feed scenario' : 'A Petri scenario')
    expect(await runIn(cwd, 'scenario', 'check', '@own')).toMatchObject({
      status: 0,
      stdout: `${file}: valid\n`,
    })
    const [, zip] = /# match: \{ zip: "(\d+)" \}/.exec(text) ?? []
    if (zip) writeFileSync(join(cwd, file), text.replace(/# (match: \{.*?\}).*/, '$1'))
    expect(await runIn(cwd, 'scenario', 'check', '@own')).toAnswer(0)
  })

  it('overwrites nothing, and refuses what it does not know', { tags: 'slow' }, async () => {
    const cwd = newFolder()
    expect((await runIn(cwd, 'scenario', 'new', 'mine', '--folder', '@')).stdout).toContain(
      'npx petri-sandbox scenario try mine.yaml\n',
    )
    const again = await runIn(cwd, 'scenario', 'new', 'mine', '--folder', '@')
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('mine.yaml already exists') })
    for (const [words, message] of [
      [['Mine'], 'is not a scenario name; use lower-case letters, digits and hyphens'],
      [['mine', '--method', 'kit'], '--method should be one of testkit'],
      [['mine', '--feed', '--from', 'happy-path'], 'Give exactly one of --method, --feed and --from.'],
    ] as const) {
      const { status, stderr } = await runIn(cwd, 'scenario', 'new', ...words)
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })
})

describe('petri scenario check', () => {
  const scenario = (name: string, zip: string) =>
    `name: ${name}\nsummary: x\nmethod: testkit\nmatch: { zip: "${zip}" }\nsteps: []\n`

  it('says what a start says', async () => {
    const cwd = newFolder()
    const files = {
      'one.yaml': scenario('one', '00199'),
      'two.yaml': scenario('two', '00199'),
      'three.yaml': scenario('tree', '00198'),
      'four.yaml': scenario('four', '00100'),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    const checked = await runIn(cwd, 'scenario', 'check', '@')
    expect(checked).toAnswer(1)
    const issues = checked.stdout.trim().split('\n')
    expect(issues).toHaveLength(4)
    const start = ['start', '--port', '0', '--data', 'memory', '--scenarios']
    const { stderr } = await runIn(cwd, ...start, '@')
    expect(stderr).toBe(`Petri cannot start. ${issues.join('\n')}\n`)
    const alone = await runIn(cwd, 'scenario', 'check', '@one.yaml')
    expect(alone.stdout).toBe('one.yaml:4: ZIP code 00199 already selects the scenario in two.yaml\n')
  })

  it('checks findings, which the list passes over', { tags: 'slow' }, async () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'found'))
    const finding = writeFinding({ ...happyHistory(), name: 'odd' })
    const files = {
      'one.yaml': scenario('one', '00199'),
      'found/early.yaml': `${scenario('early', '00198')}history:\n  seed: a\n`,
      'found/odd.yaml': finding,
      'found/typo.yaml': finding.replace('transit_lab', 'lst'),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    const { status, stdout } = await runIn(cwd, 'scenario', 'check', '@')
    expect([status, ...stdout.trim().split('\n')]).toEqual([
      1,
      'one.yaml: valid',
      expect.stringMatching(/^found\/early.yaml has the key "history".* kind: finding, name/),
      'found/odd.yaml: valid',
      expect.stringMatching(/^found\/typo.yaml:\d+: step 5: .*"lst"/),
    ])
    const listed = await runPetri(['scenario', 'list'], { PETRI_SCENARIOS: cwd })
    expect([listed.status, listed.stdout.match(/^ *(one|early|odd|typo) /gm)]).toEqual([0, ['one ']])
  })

  it('checks the subfolders too, and the list groups scenarios by them', { tags: 'slow' }, async () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'incidents'))
    writeFileSync(join(cwd, 'one.yaml'), scenario('one', '00199'))
    writeFileSync(join(cwd, 'incidents/two.yaml'), scenario('two', '00198'))
    expect(await runIn(cwd, 'scenario', 'check', '@')).toEqual({
      status: 0,
      stdout: 'one.yaml: valid\nincidents/two.yaml: valid\n',
      stderr: '',
    })
    const list = (...more: string[]) => runPetri(['scenario', 'list', ...more], { PETRI_SCENARIOS: cwd })
    const lines = (await list()).stdout.split('\n')
    const at = lines.indexOf('incidents/')
    expect(lines[at + 1]).toMatch(/^ {2}two +00198 +x$/)
    expect(lines.findIndex((line) => /^one +00199 +x$/.test(line))).toBeLessThan(at)
    expect(JSON.parse((await list('--json')).stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'one', group: '' }),
        expect.objectContaining({ name: 'two', group: 'incidents' }),
      ]),
    )
    writeFileSync(join(cwd, 'incidents/two.yaml'), scenario('two', '00199'))
    expect(await runIn(cwd, 'scenario', 'check', '@')).toAnswer(1)
  })

  it('says in a sentence what cannot be read', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'file.yaml'), 'a: [*a]')
    const { status, stdout, stderr } = await runIn(cwd, 'scenario', 'check', '@file.yaml', '@none.yaml')
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(stdout).toMatch(/^file\.yaml:1: .*YAML alias.*\nnone\.yaml is not there\n$/)
    const start = ['start', '--port', '0', '--data', 'memory', '--scenarios']
    expect((await runIn(cwd, ...start, '@file.yaml')).stderr).toBe(
      'Petri cannot start. file.yaml is a file, not a folder of scenarios.\n',
    )
  })
})

describe('petri scenario try', () => {
  it('says for what the customer is waited for', async () => {
    const lineOf = async (...words: string[]) =>
      (await runPetri(['scenario', 'try', ...words])).stdout.split('\n').filter((line) => line.includes('('))
    expect(await lineOf('happy-path', '--registrable')).toEqual([
      expect.stringMatching(/testkit_registered {2}\(when the customer registers the kit\)$/),
    ])
    expect(await lineOf('walk-in-waits-for-booking')).toEqual([
      expect.stringMatching(/appointment_pending {2}\(when the customer books an appointment\)$/),
    ])
  })
})

describe('petri start', () => {
  it('reads a scenario file again when it changes, and says what is wrong with a broken one', {
    tags: 'slow',
  }, async () => {
    const folder = newFolder()
    const file = join(folder, 'mine.yaml')
    const text = 'name: mine\nsummary: First.\nmethod: testkit\nsteps: []\n'
    writeFileSync(file, text)
    const { child, ready } = await startPetri(['--scenarios', folder])
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    const nextLine = async (): Promise<{ message: string }> => {
      const line = JSON.parse((await lines.next()).value)
      return line.message === 'call' ? nextLine() : line
    }
    const summary = async () => {
      const headers = { 'x-service-api-key': 'sk_us_petri' }
      const answer = await fetch(`${ready.url}/_petri/scenarios/mine`, { headers })
      return ((await answer.json()) as { summary: string }).summary
    }
    // At once, so that no half of it is read.
    const replace = (content: string) => {
      writeFileSync(`${file}.new`, content)
      renameSync(`${file}.new`, file)
    }
    try {
      replace(text.replace('First', 'Second'))
      expect((await nextLine()).message).toBe('Scenario mine was changed')
      expect(await summary()).toBe('Second.')
      replace(text.replace('testkit', 'kit'))
      expect(await nextLine()).toMatchObject({
        level: 'warn',
        message: expect.stringContaining('mine.yaml:3: method must be one of'),
      })
      expect(await summary()).toBe('Second.')
    } finally {
      await stop(child)
    }
  })
})

it('a folder of scenarios may appear after the start with --scenarios-later', {
  timeout: 20_000,
  tags: 'slow',
}, async () => {
  const folder = join(newFolder(), 'checkout')
  const refused = await runPetri(['start', '--port', '0', '--data', 'memory', '--scenarios', folder])
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('start with --scenarios-later'),
  })
  const { child, ready, before } = await startPetri(['--scenarios', folder, '--scenarios-later'])
  expect(before).toMatchObject([{ level: 'warn', message: expect.stringContaining('when it appears') }])
  mkdirSync(folder)
  const mine = 'name: mine\nsummary: Mine.\nmethod: testkit\nsteps:\n  - { after: 1d, status: cancelled }\n'
  writeFileSync(join(folder, 'mine.yaml'), mine)
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (line.includes('Scenario mine was added')) break
  const response = await fetch(`${ready.url}/_petri/scenarios/mine`, {
    headers: { 'x-vital-api-key': 'sk_us_petri' },
  })
  expect(response).toAnswer(200)
  await stop(child)
})

describe('petri scenario upload', () => {
  const scenario = (name: string, method = 'testkit') =>
    `name: ${name}\nsummary: A kit that is lost.\nmethod: ${method}\nsteps:\n  - { after: 1d, status: cancelled }\n`

  it('uploads each file of a folder, or none if one of them is wrong, and names the variable of its token', {
    tags: 'slow',
  }, async () => {
    const { child, ready } = await startPetri([], { PETRI_DATA: 'memory', PETRI_CONTROL_TOKEN: 'control' })
    const upload = (...args: string[]) =>
      runIn(folder, 'scenario', 'upload', '@', ...args, '--url', ready.url)
    const folder = newFolder()
    expect(await upload()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There are no scenario files in'),
    })
    writeFileSync(join(folder, 'first.yaml'), scenario('first'))
    writeFileSync(join(folder, 'second.yaml'), scenario('second', 'post'))
    const refused = await upload()
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('second.yaml:3') })
    writeFileSync(join(folder, 'second.yaml'), scenario('second'))
    expect((await upload()).stdout).toBe('Uploaded "first".\nUploaded "second".\n')
    expect(JSON.parse((await upload('--json')).stdout)).toMatchObject([{ name: 'first' }, { name: 'second' }])
    expect((await upload('--all-worlds')).stderr).toContain(
      'has a control token, and none was sent. Set PETRI_CONTROL_TOKEN to it.',
    )
    await stop(child)
  })
})
