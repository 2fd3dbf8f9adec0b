// Runs every command that a rendered page shows, as shown, one block after the other: each finds the processes, ports and files that
// the blocks before it have left. A block is a fence marked `sh`. After it, a fence without a language is what it prints.
// More words after `sh` say what is different:
//   server      starts a Petri that later blocks of the page call, and that runs until the page ends
//   after-stop  with server: the Petri before it is stopped first, as with Ctrl C; the first of a page follows a usual start
//   background  runs until the page ends, in a terminal of its own
//   in-clone    runs in a clone of the repository, wherever the page is followed
//   clean       for a machine of its own: installs globally, or builds and runs containers
//   not-run     cannot be run (needs a registry, a cluster or a browser, or runs all tests)
// A fence `text server` or `text background` is what the process started before has printed by then. A fence after a paragraph that
// is the name of a file, such as `mine.yaml`:, is that file, for the commands after it.
// A comment <!-- walk: NAME --> begins a part of the page, which is followed by itself: PAGE#NAME.
//
//   node scripts/walk.mjs PAGE…   runs these pages or parts in this folder, blocks marked `clean` included. NEWCOMER_CLONE is where
//                                 the clone is, and NEWCOMER_PACKAGE the file that `npm install petri-sandbox` installs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { blocksIn, render } from './rendered.mjs'

/** The port that the pages print. */
const PRINTED_PORT = '4080'
/** Where a part of a page begins. */
const PART = /^<!-- walk: (.+) -->$/gm
const START = 'npx petri-sandbox start --fresh'

/** A page without its parts, and these. */
export function partsOf(page) {
  const names = [...readFileSync(page, 'utf8').matchAll(PART)].map(([, name]) => name)
  return [page, ...names.map((name) => `${page}#${name}`)]
}

function htmlOfPart(part) {
  const [page, name = ''] = part.split('#')
  const [before, ...named] = render(readFileSync(page, 'utf8')).split(PART)
  return name === '' ? before : (named[named.indexOf(name) + 1] ?? '')
}

/** The blocks of a page or a part: files, commands, and those without commands, which are what a process that keeps running has printed. */
export function blocksOf(part) {
  const blocks = blocksIn(htmlOfPart(part))
  return blocks.flatMap(({ language, marks, text, file }, at) => {
    if (file) return { marks: [], file, content: text }
    if (language === 'text' && /^(server|background)$/.test(marks.join())) return { marks, prints: text }
    if (language !== 'sh') return []
    const next = blocks[at + 1]
    return { marks, commands: text, prints: next?.language === '' && next.follows ? next.text : undefined }
  })
}

/**
 * Walks through a page in a terminal: its folder, environment, the port of Petri, the commands that come before each block
 * (`prelude`), and whether it is a clean machine. Throws when a command fails, or prints something else than the page says.
 */
export async function walk(page, terminal) {
  const blocks = blocksOf(page).filter(
    ({ marks }) => !marks.includes('not-run') && (terminal.isClean || !marks.includes('clean')),
  )
  const running = new Map()
  const stopAll = async () => {
    await Promise.all([...running.values()].map(stopGroup))
    running.clear()
  }
  const server = blocks.find(({ marks }) => marks.includes('server'))
  let variables = ''
  try {
    if (server ? server.marks.includes('after-stop') : terminal.startsUsual)
      running.set('server', await start(START, terminal, true))
    for (const { marks, commands, prints, file, content } of blocks) {
      if (file) {
        writeFileSync(join(terminal.folder, file), content)
        continue
      }
      const here = marks.includes('in-clone')
        ? { ...terminal, folder: terminal.clone ?? terminal.folder }
        : terminal
      const keepsRunning = marks.find((mark) => mark === 'server' || mark === 'background')
      if (commands === undefined) {
        const pattern = patternOf(`…${prints.trim()}…`)
        const printed = () => asShown(running.get(keepsRunning)?.printed ?? '', terminal)
        await until(() => pattern.test(printed()), 10).catch(() => differ(page, prints, printed()))
      } else if (keepsRunning) {
        if (marks.includes('after-stop')) await stopAll()
        running.set(keepsRunning, await start(commands, here, keepsRunning === 'server'))
      } else {
        const printed = asShown(await finish(variables + commands, here), terminal)
        if (prints !== undefined && !patternOf(prints).test(printed)) differ(page, prints, printed)
        variables += (commands.match(/^\w+=.*\n/gm) ?? []).join('')
      }
    }
  } finally {
    await stopAll()
  }
}

/** A port that nothing listens on: the printed one if possible. */
export async function freePort(wanted = Number(PRINTED_PORT)) {
  const server = createServer()
  server.listen(wanted, '127.0.0.1')
  const isFree = await once(server, 'listening').catch(() => false)
  if (!isFree) return freePort(0)
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return String(port)
}

function differ(page, prints, printed) {
  throw new Error(`${page} says:\n${prints.trim()}\n\nIt prints:\n${printed}`)
}

/** What a page prints, with `…` for anything, and any id, key and instant where it prints one. */
function patternOf(prints) {
  const masks = [
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '[0-9a-f-]{36}'],
    [/\b(ep|msg)_\w+/g, '\\w+'],
    [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d'],
    [/\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d/g, '\\d{1,2} [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d'],
    [/^\d\d:\d\d:\d\d/gm, '\\d\\d:\\d\\d:\\d\\d'],
    [/\n?…/g, '[^]*?'],
  ]
  let pattern = prints.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  for (const [what, anything] of masks) pattern = pattern.replace(what, () => anything)
  return new RegExp(`^${pattern}$`)
}

/** Runs the commands of a block in bash, with the port of Petri in place of the printed one. */
function launch(commands, { folder, port, env, prelude = '' }) {
  const isOther = port !== PRINTED_PORT
  const script = `set -eu\n${prelude}\n${commands}`
  return spawn('bash', ['-c', isOther ? withPort(script, port) : script], {
    cwd: folder,
    env: { ...env, ...(isOther && { PETRI_PORT: port, PETRI_URL: `http://127.0.0.1:${port}` }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that what a shell has started can be stopped with it.
    detached: true,
  })
}

/** A published port stays the same in the container. */
const withPort = (script, port) =>
  script
    .replace(/:4080(:4080)?\b/g, (_, inside = '') => `:${port}${inside}`)
    .replace('listen --add', '$& --port 0')

/** What was printed, with the ports that the page shows. */
const asShown = (printed, { port }) =>
  printed
    .replaceAll(`:${port}`, `:${PRINTED_PORT}`)
    .replace(` --url http://127.0.0.1:${PRINTED_PORT}`, '')
    .replace(/(Listening on http:\/\/127\.0\.0\.1):\d+/, '$1:3000')
    .trim()

async function finish(commands, terminal) {
  const child = launch(commands, terminal)
  const [stdout, stderr, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  if (status !== 0) throw new Error(`${commands}exit status ${status}\n${stdout}${stderr}`)
  return stdout
}

/** Starts a process that keeps running, and waits until a Petri answers or anything is printed. */
async function start(commands, terminal, isServer) {
  const child = launch(commands, terminal)
  const running = { child, printed: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      running.printed += text
    })
  const answers = () =>
    fetch(`http://127.0.0.1:${terminal.port}/_petri/health`).then(
      () => true,
      () => false,
    )
  const hasFailed = () => child.signalCode !== null || child.exitCode > 0
  const isThere = async () => hasFailed() || (isServer ? await answers() : running.printed !== '')
  const isLate = await until(isThere, terminal.isClean ? 300 : 20).then(
    () => false,
    () => true,
  )
  if (isLate) await stopGroup(running)
  if (isLate || hasFailed()) throw new Error(`${commands}does not run:\n${running.printed}`)
  return running
}

/** The shell may have ended, and what it started in the background may still run. */
async function stopGroup({ child }) {
  const isClosed = once(child, 'close')
  try {
    process.kill(-child.pid, 'SIGINT')
  } catch {
    return
  }
  await isClosed
}

async function until(holds, seconds) {
  const deadline = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It was not so within ${seconds} seconds.`)
    await pause(50)
  }
}

const INSTALLS_FILE = `npm() { command npm "\${@/#petri-sandbox/$NEWCOMER_PACKAGE}"; }; export -f npm`

/** Whether Petri is there only once a page has installed it. */
const installs = (page) =>
  blocksOf(page).some(({ commands = '' }) => /npm install .*petri-sandbox/.test(commands))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { env } = process
  const terminal = {
    folder: process.cwd(),
    clone: env.NEWCOMER_CLONE,
    env,
    prelude: env.NEWCOMER_PACKAGE && INSTALLS_FILE,
    isClean: true,
  }
  const parts = process.argv.slice(2).flatMap((page) => (page.includes('#') ? [page] : partsOf(page)))
  for (const page of parts.filter((part) => blocksOf(part).length > 0)) {
    const begin = Date.now()
    await walk(page, { ...terminal, startsUsual: !installs(page), port: await freePort() })
    console.log(`${page.replace(`${terminal.clone}/`, '')}: ${Math.round((Date.now() - begin) / 1000)} s`)
  }
}
