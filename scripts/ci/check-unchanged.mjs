// Programs that name the live service run unchanged with the installed package: by `petri exec`, and with MSW and nock.
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../bundle.mjs'

const run = promisify(execFile)
const programs = join(root, 'test/programs/exec')

/** What the programs import; nock 15 needs Node 22. */
export const clientPackages = ['axios@1', 'got@14', 'node-fetch@3', 'msw@2', 'nock@15']
const NODE_OF_NOCK = 22

/** Programs with the output that is expected of each. */
const underExec = {
  'literal-url.cjs': 'literal',
  'fetch.mjs': '200',
  'workers.mjs': '200\n200\n200',
  'clients/axios.mjs': 'axios',
  'clients/got.mjs': 'got',
  'clients/node-fetch.mjs': 'node-fetch',
}
const MOCKED = 'mocked mocked\n200 200'

/** Copies the programs to where the package and theirs are installed. */
export const copyUnchanged = (project) => cp(programs, join(project, 'unchanged'), { recursive: true })

export async function checkUnchanged(node, { project, petri }) {
  const cwd = join(project, 'unchanged')
  const exec = (command) => output(node, [petri, 'exec', '--', node, ...command], cwd)
  for (const [program, expected] of Object.entries(underExec)) equal(program, await exec([program]), expected)
  const jest = join(project, 'node_modules/jest/bin/jest.js')
  // Two files, and as many workers.
  await exec([jest, '--config', 'clients/jest.config.cjs', '--testTimeout=90000', '--maxWorkers=2'])
  equal('msw.mjs', await output(node, ['clients/msw.mjs'], cwd), MOCKED)
  const { stdout: version } = await run(node, ['--version'])
  if (Number.parseInt(version.slice(1), 10) < NODE_OF_NOCK) return
  equal('nock.mjs', await output(node, ['clients/nock.mjs'], cwd), MOCKED)
}

async function output(file, args, cwd) {
  const { stdout } = await run(file, args, { cwd }).catch(({ stdout, stderr }) => {
    throw new Error(`${[file, ...args].join(' ')} failed:\n${stdout}${stderr}`)
  })
  return stdout.trim()
}

function equal(program, printed, expected) {
  if (printed !== expected) throw new Error(`${program} printed ${JSON.stringify(printed)}, not ${expected}`)
}
