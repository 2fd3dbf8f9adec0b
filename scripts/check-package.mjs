// Packs Petri from a fresh copy of the repository as it would be published, installs it into an empty folder, and runs
// what was installed: with every Node it supports, from ESM and CommonJS, in jest, vitest and node:test, and typed.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './bundle.mjs'
import { commonjsProgram, jestTest, moduleProgram, nodeTest, vitestTest } from './check-package-programs.mjs'
import { withRunningPetri } from './running-petri.mjs'

const run = promisify(execFile)
const packed = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
/** Versions of Node to check in addition to the one that runs this; `npm install node@22` installs one. */
const NODES = ['22', '24']
const TOO_OLD = '18'
const JEST = 'jest@30'

const folder = await mkdtemp(join(tmpdir(), 'petri-package-'))
const copy = join(folder, 'copy')
const project = join(folder, 'project')
try {
  await copyRepository()
  const tarball = await pack()
  await lint(tarball)
  await install(tarball)
  await runInstalled(join(project, 'node_modules/.bin/petri'))
  await compilePrograms()
  await useInstalled()
  await refuseOldNode()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Copies the files of the repository, including uncommitted changes, and the installed dependencies. */
async function copyRepository() {
  await mkdir(copy)
  const { stdout: changes } = await run('git', ['stash', 'create'], { cwd: root })
  const commit = changes.trim() || 'HEAD'
  await run('sh', ['-c', `git archive ${commit} | tar -x -C ${copy}`], { cwd: root })
  // Linked where the file system can: the build may not write through to them, and does not.
  await run('cp', ['-al', join(root, 'node_modules'), copy]).catch(() =>
    cp(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true }),
  )
  await rm(join(copy, 'node_modules/.cache'), { recursive: true, force: true })
}

/** As CONTRIBUTING.md says: `.npmrc` keeps scripts from running unless told so. */
async function pack() {
  const args = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: copy, maxBuffer: 2 ** 26 })
  // What the build prints comes first.
  const [{ filename, size, unpackedSize, entryCount, files }] = JSON.parse(
    stdout.slice(stdout.search(/^\[$/m)),
  )
  for (const path of ['LICENSE', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/cli/main.js', 'dist/cjs/index.d.ts'])
    if (!files.some((file) => file.path === path)) throw new Error(`${path} is not in the package`)
  console.log(
    `${filename}: ${entryCount} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} installed`,
  )
  return join(folder, filename)
}

async function lint(tarball) {
  const { messages } = await publint({ pkgDir: copy, level: 'warning' })
  for (const message of messages) console.error(formatMessage(message, packed))
  if (messages.length > 0) throw new Error('publint found something')
  const { problems } = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
  if (problems.length > 0) throw new Error(`the types are wrong: ${JSON.stringify(problems, null, 2)}`)
  const dependencies = Object.keys(packed.dependencies ?? {})
  if (dependencies.join() !== 'hono')
    throw new Error(`everything is bundled, and only hono's types are needed, not ${dependencies}`)
  await lintTypes(packed.exports['.'].import.types)
}

/** The public types, and what they refer to, are published and need no package but Node's types and Hono's. */
async function lintTypes(path, seen = new Set()) {
  if (seen.has(path)) return
  seen.add(path)
  const types = await readFile(join(copy, path), 'utf8')
  for (const [, target] of types.matchAll(/\b(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
    if (target === 'hono') continue
    if (!target.startsWith('.')) throw new Error(`${path} needs ${target}`)
    await lintTypes(`./${posix.join(posix.dirname(path), target.replace(/\.ts$/, '.d.ts'))}`, seen)
  }
}

async function install(tarball) {
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await npmInstall(project, tarball, '--ignore-scripts')
}

async function npmInstall(cwd, ...what) {
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...what], { cwd })
}

async function runInstalled(petri) {
  const { stdout } = await run(petri, ['--version'])
  if (stdout.trim() !== packed.version) throw new Error(`petri --version answered ${stdout}`)
  await withRunningPetri(petri, [], async (url) => {
    console.log((await run(petri, ['health', '--url', url])).stdout.trim())
    const answer = await fetch(`${url}/v3/lab_tests`, { headers: { 'x-service-api-key': 'sk_us_petri' } })
    if (answer.status !== 200) throw new Error(`the catalogue answered ${answer.status}`)
    const { info } = await (await fetch(`${url}/openapi.json`)).json()
    if (info.version !== packed.version) throw new Error(`/openapi.json is of version ${info.version}`)
  })
}

/** Compiles programs with the published types, without Petri's sources. */
async function compilePrograms() {
  await writeFile(join(project, 'program.mts'), moduleProgram)
  await writeFile(join(project, 'program.cts'), commonjsProgram)
  for (const module of ['nodenext', 'bundler']) await compile(module)
  passed('TypeScript, strict, with moduleResolution nodenext and bundler')
}

async function compile(resolution) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const module = resolution === 'bundler' ? ['--module', 'preserve', '--noEmit'] : ['--module', 'nodenext']
  const files = resolution === 'bundler' ? ['program.mts'] : ['program.mts', 'program.cts']
  const args = ['--strict', '--target', 'es2022', '--moduleResolution', resolution, ...module, ...types]
  await run(process.execPath, [tsc, ...args, ...files], { cwd: project }).catch(({ stdout }) => {
    throw new Error(`a program with the published types does not compile (${resolution}):\n${stdout}`)
  })
}

async function useInstalled() {
  await writeFile(join(project, 'node.test.cjs'), nodeTest)
  await writeFile(join(project, 'vitest.test.js'), vitestTest)
  await writeFile(join(project, 'jest.test.cjs'), jestTest)
  await npmInstall(project, '--no-save', '--ignore-scripts', JEST)
  await symlink(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
  // The runners' five seconds are short where several things run at once.
  const jest = ['node_modules/jest/bin/jest.js', '--testTimeout=90000', '--testMatch', '**/jest.test.cjs']
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=90000', 'vitest.test.js']
  const ways = [['program.mjs'], ['program.cjs'], ['--test', 'node.test.cjs'], jest, vitest]
  for (const node of [process.execPath, ...(await Promise.all(NODES.map(installNode)))]) {
    for (const way of ways) await use(node, way)
    const { stdout: version } = await run(node, ['--version'])
    passed(`ESM, require, node:test, jest and vitest with Node ${version.trim()}`)
  }
}

async function use(node, args) {
  await run(node, args, { cwd: project }).catch(({ stdout, stderr }) => {
    throw new Error(`${node} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  })
}

/** Installs a version of Node and returns the path of its binary. */
async function installNode(major) {
  const where = join(folder, `node-${major}`)
  await mkdir(where)
  await writeFile(join(where, 'package.json'), '{ "private": true }')
  await npmInstall(where, '--no-save', '--ignore-scripts=false', `node@${major}`)
  return join(where, 'node_modules/node/bin/node')
}

async function refuseOldNode() {
  const node = await installNode(TOO_OLD)
  const main = join(project, 'node_modules', packed.name, packed.bin.petri)
  const { code, stderr } = await run(node, [main, 'start']).catch((error) => error)
  if (code !== 1 || !/^Petri needs Node 20\.19 or later; this is Node 18\.[\d.]+\.\n$/.test(stderr))
    throw new Error(`with Node 18 it ends with ${code} and says: ${stderr}`)
  passed('Node 18 is refused in one sentence')
}

function passed(what) {
  console.log(`ok: ${what}`)
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}
