// Runs what docs/ci.md and examples/github-actions.yml print and a machine without GitHub, GitLab and
// Docker can run: the steps of GitHub's jobs by its rules, GitLab's stages in PID namespaces, services and Compose with podman.
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'yaml'
import { connectToPetri } from '../../dist/index.js'

const root = join(import.meta.dirname, '../..')
const main = join(root, 'dist/cli/main.js')
const work = mkdtempSync(join(tmpdir(), 'petri-ci-'))
const read = (path) => readFileSync(join(root, path), 'utf8')
let failures = 0

function check(what, isTrue, shown = '') {
  console.log(`${isTrue ? 'ok     ' : 'FAILED '} ${what}`)
  if (isTrue) return
  failures++
  console.log(shown)
}
const leftOut = (what) => console.log(`left out: ${what}`)
const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** The YAML of the nth block below a heading of a page. */
function printed(page, heading, nth = 0) {
  const [, below = ''] = read(page).split(`\n${heading}\n`)
  return [...below.matchAll(/^```yaml\n([\s\S]*?)^```/gm)][nth][1]
}

// What the jobs install is on this machine, and Petri is what was built.
const bin = join(work, 'bin')
mkdirSync(bin)
const programs = {
  // Like npm exec, it starts another process.
  npx: `[ "$1" != --yes ] || shift\nshift\n${process.execPath} ${main} "$@"`,
  pip: 'true',
}
for (const [name, script] of Object.entries(programs))
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
const PATH = `${bin}:${process.env.PATH}`

/** What a partner's repository has. */
function checkOut(folder) {
  const test =
    "node --eval \"fetch((process.env.PETRI_URL ?? 'https://api.tryvital.io') + '/v2/user', { headers: { 'x-vital-api-key': 'sk_us_petri' } }).then(({ status }) => process.exit(status === 200 ? 0 : 1))\""
  const manifest = { name: 'partner', version: '1.0.0', scripts: { test } }
  const files = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }),
    'test_partner.py': `import json, os, urllib.request

def test_a_user_is_created():
    headers = {"x-vital-api-key": os.environ["API_KEY"], "content-type": "application/json"}
    body = json.dumps({"client_user_id": "ada"}).encode()
    request = urllib.request.Request(os.environ["API_URL"] + "/v2/user", body, headers)
    assert urllib.request.urlopen(request).status == 200
    assert os.environ["WEBHOOK_SECRET"].startswith("whsec_")
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const scenario =
    'name: kit-lost-twice\nsummary: A kit that is lost.\nmethod: testkit\nsteps:\n  - { after: 1d, status: cancelled }\n'
  for (const path of ['scenarios', 'test/scenarios']) {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'kit-lost-twice.yaml'), scenario)
  }
  cpSync(join(root, 'examples/python'), join(folder, 'examples/python'), { recursive: true })
}

/** Runs a script in a shell; resolves with its exit status and what it printed. */
function shell(args, script, { cwd, env, prefix = [] }) {
  const file = join(mkdtempSync(join(work, 'step-')), 'script.sh')
  writeFileSync(file, script)
  const [command, ...rest] = [...prefix, 'bash', ...args, file]
  const child = spawn(command, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  // Programs that the step leaves behind may keep the output open.
  return new Promise((resolve) =>
    child.on('exit', (status) => setTimeout(() => resolve({ status, output }), 50)),
  )
}

/** The ids of the processes that have a variable with this value. */
const processesWith = (variable) =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(variable)
    } catch {
      return false
    }
  })

// --- GitHub Actions -------------------------------------------------------------------------------------------------

/** Evaluates an expression of GitHub: names, texts, `==`, `||`, `always()` and `format()`. */
function evaluate(expression, context) {
  const code = expression.replace(/'((?:[^']|'')*)'|[A-Za-z_][\w.-]*(\()?/g, (token, text, isCall) => {
    if (text !== undefined) return JSON.stringify(text.replaceAll("''", "'"))
    return isCall ? token : `at(${JSON.stringify(token)})`
  })
  const at = (path) => path.split('.').reduce((value, name) => value?.[name], context) ?? ''
  const format = (text, ...values) => text.replace(/\{(\d)\}/g, (_, nth) => values[nth])
  return new Function('at', 'format', 'always', `return ${code}`)(at, format, () => true)
}
const filled = (text, context) =>
  String(text).replace(/\$\{\{(.+?)\}\}/g, (_, expression) => evaluate(expression, context))
const filledAll = (texts = {}, context) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, context)]))

/** Keeps a file that is there as an artifact of the run. Returns whether its name was not used yet. */
function uploadArtifact({ name, path }, artifacts, job) {
  if (!existsSync(path)) return true
  if (artifacts.has(name)) {
    job.output += `Error: 409 Conflict: an artifact with this name already exists on the workflow run: ${name}\n`
    return false
  }
  artifacts.set(name, readFileSync(path, 'utf8'))
  return true
}

/** Runs a job as a runner does. `artifacts` are those of the run, whose names cannot be used twice. */
async function githubJob({ steps, env = {}, services = {} }, { index = 0, artifacts = new Map() } = {}) {
  const folder = mkdtempSync(join(work, 'github-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const tracking = `RUNNER_TRACKING_ID=${folder}`
  const context = {
    github: { job: 'test', run_attempt: 1, action_ref: 'v0.1.0', workspace },
    strategy: { 'job-index': index },
    runner: { temp: folder },
    steps: {},
  }
  const job = { conclusion: 'success', output: '', summary: '', processes: () => processesWith(tracking) }
  const variables = {
    ...process.env,
    PATH,
    RUNNER_TRACKING_ID: folder,
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: workspace,
    ...filledAll(env, context),
  }
  for (const [name, service] of Object.entries(services)) await startService(name, service, context)

  /** Runs one step; returns whether it succeeded. */
  async function runStep(step, given, outputs) {
    if (step.does) {
      await step.does(job)
      return true
    }
    if (step.uses?.startsWith('actions/checkout')) {
      checkOut(workspace)
      return true
    }
    if (step.uses?.startsWith('actions/upload-artifact'))
      return uploadArtifact(filledAll(step.with, given), artifacts, job)
    if (step.uses?.startsWith('example/petri-sandbox@')) return runAction(step, given, outputs)
    if (step.uses) return true
    const files = mkdtempSync(join(folder, 'files-'))
    const paths = Object.fromEntries(
      ['OUTPUT', 'ENV', 'STEP_SUMMARY'].map((name) => [`GITHUB_${name}`, join(files, name)]),
    )
    for (const path of Object.values(paths)) writeFileSync(path, '')
    const args = step.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e']
    const ownEnv = { ...variables, ...filledAll(step.env, given), ...paths, GITHUB_ACTION_PATH: root }
    const { status, output } = await shell(args, filled(step.run, given), { cwd: workspace, env: ownEnv })
    job.output += output
    const pairs = (name) =>
      [...readFileSync(paths[name], 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value])
    Object.assign(outputs, Object.fromEntries(pairs('GITHUB_OUTPUT')))
    Object.assign(variables, Object.fromEntries(pairs('GITHUB_ENV')))
    job.summary += readFileSync(paths.GITHUB_STEP_SUMMARY, 'utf8')
    return status === 0
  }

  async function runAction(step, given, outputs) {
    const action = parse(read('action.yml'))
    const defaults = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, input.default]),
    )
    const inner = { ...context, inputs: { ...defaults, ...filledAll(step.with, given) }, steps: {} }
    const isSuccess = await runSteps(action.runs.steps, inner)
    Object.assign(
      outputs,
      filledAll(
        Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value])),
        inner,
      ),
    )
    return isSuccess
  }

  async function runSteps(list, given) {
    let isSuccess = true
    for (const step of list) {
      const condition = step.if ?? 'success()'
      const isDue = condition === 'success()' ? isSuccess : evaluate(condition, given)
      if (!isDue) continue
      const outputs = {}
      const passed = await runStep(step, given, outputs)
      if (step.id) given.steps[step.id] = { outputs }
      if (!passed && !step['continue-on-error']) isSuccess = false
    }
    return isSuccess
  }

  if (!(await runSteps(steps, context))) job.conclusion = 'failure'
  await endProcesses(job)
  return job
}

/** Petri stops a moment after its reply to the report. What runs longer is left, and killed. */
async function endProcesses(job) {
  for (const until = Date.now() + 5000; job.processes().length > 0 && Date.now() < until; ) await pause(100)
  job.left = job.processes()
  for (const id of job.left) process.kill(Number(id), 'SIGKILL')
}

async function checkGithubAction() {
  const { steps } = parse(printed('docs/ci.md', '## GitHub Actions, any language'))
  const kill = {
    does: ({ processes }) => {
      for (const id of processes()) process.kill(Number(id), 'SIGKILL')
    },
  }
  const killed = [...steps.slice(0, -1), kill, ...steps.slice(-1)]
  const artifacts = new Map()
  const [well, bad] = await Promise.all([
    githubJob({ steps }, { artifacts }),
    githubJob({ steps: killed }, { index: 1, artifacts }),
  ])
  check(
    'action: a job of a matrix passes, with a summary',
    well.conclusion === 'success' && well.summary.includes('### Coverage'),
    well.output,
  )
  check('action: its report ends Petri', well.left.length === 0, well.left.join(' '))
  check(
    'action: a killed Petri fails no job, and the report says so',
    bad.conclusion === 'success' && bad.output.includes('::warning::Petri had ended'),
    bad.output,
  )
  check(
    'action: both logs are kept',
    [...artifacts.keys()].sort().join() === 'petri-log-test-0-1,petri-log-test-1-1',
    [...artifacts.keys()].join(),
  )
  const named = steps.map((step) =>
    step.with?.do === 'report' ? { ...step, with: { ...step.with, 'artifact-name': 'log' } } : step,
  )
  const shared = new Map()
  const both = await Promise.all(
    [0, 1].map((index) => githubJob({ steps: named }, { index, artifacts: shared })),
  )
  check(
    'action: an upload that conflicts fails no job',
    both.every(({ conclusion }) => conclusion === 'success') &&
      both.filter(({ output }) => output.includes('409 Conflict')).length === 1,
    both.map(({ output }) => output).join('\n'),
  )
  const failing = steps.map((step) => (step.run === 'pytest' ? { ...step, run: 'pytest && false' } : step))
  const failed = await githubJob({ steps: failing })
  check(
    'action: a failed test fails the job, and is reported on',
    failed.conclusion === 'failure' && failed.summary.includes('### Coverage'),
    failed.output,
  )
  const around = await githubJob(parse(printed('docs/ci.md', '### Around the tests')))
  check('scenarios in CI, around the tests', around.conclusion === 'success', around.output)
}

// --- GitLab ---------------------------------------------------------------------------------------------------------

/** Variables that Docker sets in a job that is linked to a service called petri. */
const legacyLink = {
  PETRI_NAME: '/build/petri',
  PETRI_PORT: 'tcp://172.17.0.2:4080',
  PETRI_PORT_4080_TCP: 'tcp://172.17.0.2:4080',
  PETRI_PORT_4080_TCP_ADDR: '172.17.0.2',
  PETRI_ENV_PETRI_DATA: 'memory',
}

async function checkGitlab() {
  const page = printed('docs/ci.md', '## GitLab CI')
  const job = parse(page)
  const [header, component] = read('templates/petri.yml').split('\n---\n')
  const { spec } = parse(header)
  const [{ inputs }] = job.include
  const filledIn = component.replace(
    /\$\[\[ inputs\.([\w-]+) \]\]/g,
    (_, name) => inputs[name] ?? spec.inputs[name].default,
  )
  const base = parse(filledIn)['.petri']
  // As the page prints it: before_script: [!reference [.petri, before_script], npm ci].
  const [, ownCommand] = /before_script: \[!reference \[\.petri, before_script\], (.+?)\]/.exec(
    read('docs/ci.md'),
  )
  const ownBefore = [...base.before_script, ownCommand]
  for (const [what, before, script, expected] of [
    ['a job', base.before_script, job.test.script, 0],
    ['a job with a before_script of its own', ownBefore, job.test.script, 0],
    ['a job that fails', base.before_script, [...job.test.script, 'exit 7'], 7],
  ]) {
    const folder = mkdtempSync(join(work, 'gitlab-'))
    const env = { ...process.env, PATH, ...legacyLink, WEBHOOK_URL: 'https://chat.example.com/hook' }
    // Each stage is a container of its own: what one started is gone in the next.
    const stage = (lines) =>
      shell(['--norc', '-eo', 'pipefail'], lines.join('\n'), {
        cwd: folder,
        env,
        prefix: ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'],
      })
    checkOut(folder)
    await stage(['true'])
    const { status, output } = await stage([...before, ...script])
    check(
      `GitLab: ${what} ends with ${expected}, and is reported on`,
      status === expected && /operations/i.test(output) && output.includes('Stopped the Petri at'),
      output,
    )
    const after = await stage(['cat petri.log', 'ps -A -o args | grep -c "[m]ain.js start" || true'])
    check(
      `GitLab: ${what} keeps its log, and leaves no Petri to after_script`,
      after.status === 0 && after.output.includes('"url"') && after.output.trimEnd().endsWith('0'),
      after.output,
    )
  }
}

// --- Containers -----------------------------------------------------------------------------------------------------

const podman = (...args) =>
  spawnSync('podman', ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args], { encoding: 'utf8' })
const started = []
const gateway = () =>
  podman('network', 'inspect', 'podman', '--format', '{{range .Subnets}}{{.Gateway}}{{end}}').stdout.trim()

/** Starts what a workflow or Compose calls a service, with the root of this machine in place of the image. */
async function startService(
  name,
  { ports = [], env = {}, environment = env, volumes = [], options = '', extra_hosts: hosts = [] },
  context = {},
) {
  const limit = (letter) => spawnSync('bash', ['-c', `ulimit -${letter}`], { encoding: 'utf8' }).stdout.trim()
  const container = `${name}-${started.length}-${process.pid}`
  const flags = [
    ...ports.flatMap((port) => ['--publish', port]),
    ...Object.entries({ PETRI_HOST: '0.0.0.0', ...environment }).flatMap(([key, value]) => [
      '--env',
      `${key}=${value}`,
    ]),
    ...volumes.flatMap((volume) => ['--volume', filled(volume, context)]),
    ...options.split(' ').filter(Boolean),
    ...hosts.flatMap((host) => ['--add-host', host]),
  ].map((flag) => flag.replace('host-gateway', gateway()))
  const limits = ['--ulimit', `nofile=${limit('Sn')}:${limit('Hn')}`, '--ulimit', 'nproc=2048:2048']
  const { status, stderr } = podman(
    'run',
    '--rm',
    '--detach',
    '--name',
    container,
    ...limits,
    ...flags,
    '--rootfs',
    '/:O',
    process.execPath,
    main,
    'start',
  )
  if (status !== 0) throw new Error(stderr)
  started.push(container)
  const address = podman('inspect', container, '--format', '{{.NetworkSettings.IPAddress}}').stdout.trim()
  for (let tries = 0; tries < 150; tries++) {
    if (
      await fetch(`http://${address}:4080/_petri/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return `http://${address}:4080`
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${name} is not healthy: ${podman('logs', container).stdout}`)
}

/** The text with a free port in place of 4080, which may be in use on this machine. */
async function withFreePort(text) {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return {
    port,
    text: text.replaceAll(/4080:4080/g, `${port}:4080`).replaceAll('127.0.0.1:4080', `127.0.0.1:${port}`),
  }
}

async function checkContainers() {
  const { jobs } = parse((await withFreePort(read('examples/github-actions.yml'))).text)
  const workflow = await githubJob(jobs.test)
  check('examples/github-actions.yml', workflow.conclusion === 'success', workflow.output)

  const service = await withFreePort(printed('docs/ci.md', '### As a service'))
  await startService('service', parse(service.text).services.petri)
  const url = `http://127.0.0.1:${service.port}`
  const access = { PETRI_URL: url, PETRI_CONTROL_TOKEN: 'control' }
  for (const host of [undefined, 'host.docker.internal']) {
    const env = { ...process.env, ...access, ...(host && { RECEIVER_HOST: host }) }
    const how = host ? `RECEIVER_HOST=${host}` : 'no RECEIVER_HOST'
    const kits = spawnSync('bash', [join(root, 'scripts/ci/test-clients.sh'), 'same-test'], {
      env,
      encoding: 'utf8',
    })
    check(
      `as a service, ${how}: the receivers of Python, Go and Java`,
      kits.status === 0,
      kits.stdout + kits.stderr,
    )
    for (const line of kits.stdout.split('\n')) if (line.startsWith('left out')) console.log(line)
    const petri = await connectToPetri({ url, controlToken: 'control', receiverHost: host })
    const world = await petri.world()
    let received = 0
    await world.webhooks.deliverTo(() => void received++)
    await world.orders.place()
    await world.clock.settle()
    check(`as a service, ${how}: the receiver of TypeScript`, received > 0, `${received} received`)
  }

  const watched = await withFreePort(printed('docs/ci.md', '### As a service container'))
  const upload = /```sh\n(.*scenario upload.*)\n```/.exec(read('docs/ci.md'))[1]
  const show = `curl -sf --retry 10 --retry-all-errors --retry-delay 1 -H 'x-vital-api-key: sk_us_petri' http://127.0.0.1:${watched.port}/_petri/scenarios/kit-lost-twice`
  const scenarios = await githubJob({
    ...parse(watched.text),
    env: { PETRI_URL: `http://127.0.0.1:${watched.port}`, PETRI_CONTROL_TOKEN: 'control' },
    steps: [{ uses: 'actions/checkout@v4' }, { run: show }, { run: upload }],
  })
  check(
    'scenarios in CI, as a service container: a mounted folder, and an upload',
    scenarios.conclusion === 'success',
    scenarios.output,
  )

  const [, gitlabService] = [0, 1].map((nth) => printed('docs/ci.md', '## GitLab CI', nth))
  const { test } = parse(gitlabService)
  const address = await startService('gitlab', { environment: { ...test.variables, ...legacyLink } })
  const folder = mkdtempSync(join(work, 'gitlab-'))
  checkOut(folder)
  // The alias is a name in the network of the job.
  const env = { ...process.env, PATH, ...test.variables, ...legacyLink, PETRI_URL: address }
  const pytest = await shell(['--norc', '-eo', 'pipefail'], test.script.join('\n'), { cwd: folder, env })
  check('GitLab: Petri as a service, with the variables of legacy links', pytest.status === 0, pytest.output)

  const compose = await withFreePort(read('examples/docker-compose.yml'))
  await startService('compose', parse(compose.text).services.petri)
  const composed = {
    ...process.env,
    PETRI_URL: `http://127.0.0.1:${compose.port}`,
    PETRI_CONTROL_TOKEN: 'control',
  }
  const order = await shell(['-e'], read('examples/shell/order.sh'), { cwd: root, env: composed })
  check('the service of examples/docker-compose.yml takes an order', order.status === 0, order.output)
  leftOut('docker compose itself and its build: scripts/ci/image.sh runs them where there is Docker')
}

try {
  if (has('pytest')) await checkGithubAction()
  else leftOut('the action, because there is no pytest')
  if (process.getuid() === 0) await checkGitlab()
  else leftOut('GitLab, because only root makes PID namespaces')
  if (has('podman') && has('runc') && has('pytest') && process.getuid() === 0) await checkContainers()
  else leftOut('services and Compose, because they need root, podman, runc and pytest')
} finally {
  if (started.length > 0) podman('rm', '--force', '--time', '1', ...started)
  rmSync(work, { recursive: true, force: true })
}
process.exit(failures === 0 ? 0 : 1)
