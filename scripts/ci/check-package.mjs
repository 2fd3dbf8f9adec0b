// Packs Petri from a fresh copy of the repository as it would be published, installs it into an empty folder, and runs
// what was installed: from ESM and CommonJS, in jest, vitest and node:test, and typed. `node scripts/ci/check-package.mjs 22 24` does
// so with these versions of Node, too; `--smoke` only starts it and imports it.
import { execFile } from 'node:child_process'
import {
  access,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { formats, runEveryCommand } from '../../test/support/every-command.mjs'
import { isBuilt } from '../built.mjs'
import { root } from '../bundle.mjs'
import { linksOf } from '../links.mjs'
import { withRunningPetri } from '../running-petri.mjs'
import { commonjsProgram, jestTest, moduleProgram, nodeTest, vitestTest } from './check-package-programs.mjs'
import { checkUnchanged, clientPackages, copyUnchanged } from './check-unchanged.mjs'

const run = promisify(execFile)
const packed = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
/** Versions of Node to check in addition to the one that runs this; `npm install node@22` installs one. */
const { values: options, positionals: NODES } = parseArgs({
  options: { smoke: { type: 'boolean' } },
  allowPositionals: true,
})
const TOO_OLD = '18'
const JEST = 'jest@30'
/** Beside the version that the clone uses; it needs Node 22. */
const NEXT_VITEST = 'vitest@5'
/** Nothing listens there, and npm looks at the manifest before it calls it. */
const NO_REGISTRY = [
  '--registry=http://127.0.0.1:9/',
  '--//127.0.0.1:9/:_authToken=none',
  '--fetch-retries=0',
]

const folder = await mkdtemp(join(tmpdir(), 'petri-package-'))
const copy = join(folder, 'copy')
const staged = join(copy, 'release/package')
const project = join(folder, 'project')
try {
  await copyRepository()
  const tarball = await pack()
  await lint(tarball)
  await install(tarball)
  for (const command of ['petri', 'petri-sandbox'])
    await runInstalled(join(project, 'node_modules/.bin', command))
  await compilePrograms()
  if (options.smoke)
    for (const program of ['program.mjs', 'program.cjs']) await use(process.execPath, [program])
  else await checkThoroughly(tarball)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function checkThoroughly(tarball) {
  await runCommands(join(project, 'node_modules/.bin/petri'))
  await useInstalled(tarball)
  await refuseOldNode()
  await runInClone()
  await refusePublishing(tarball)
}

/** Copies the files of the repository, including uncommitted changes, the installed dependencies, and what was built from both. */
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
  if (isBuilt()) await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
}

/** As CONTRIBUTING.md says. */
async function pack() {
  const { stdout } = await run('npm', ['run', '--silent', 'package'], { cwd: copy, maxBuffer: 2 ** 26 })
  console.log(stdout.trim().split('\n').at(-1))
  for (const path of ['LICENSE', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/cli/main.js', 'dist/index.d.ts'])
    await access(join(staged, path))
  return join(copy, 'release', `petri-sandbox-${packed.version}.tgz`)
}

/** Neither the clone nor a package with placeholders can be published, with and without scripts. */
async function refusePublishing(tarball) {
  for (const what of ['.', tarball]) {
    for (const scripts of ['true', 'false']) {
      const args = ['publish', what, ...NO_REGISTRY, `--ignore-scripts=${scripts}`]
      const { stderr } = await run('npm', args, { cwd: copy, maxBuffer: 2 ** 26 }).catch((error) => error)
      if (!stderr.includes('EPRIVATE')) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
    }
  }
  const release = run(process.execPath, ['scripts/package.mjs', '--release'], { cwd: copy })
  const { stderr } = await release.catch((error) => error)
  if (!stderr.includes('write your own')) throw new Error(`a release with placeholders: ${stderr}`)
  passed('npm publish is refused, and so is a release whose repository is a placeholder')
}

async function lint(tarball) {
  const published = JSON.parse(await readFile(join(staged, 'package.json'), 'utf8'))
  const { messages } = await publint({ pkgDir: staged, level: 'warning' })
  for (const message of messages) console.error(formatMessage(message, published))
  if (messages.length > 0) throw new Error('publint found something')
  const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
  // vitest has ES modules only, and so have its fixtures.
  const problems = checked.problems.filter(
    ({ kind, entrypoint }) =>
      entrypoint !== './vitest' || !['NoResolution', 'CJSResolvesToESM'].includes(kind),
  )
  if (problems.length > 0) throw new Error(`the types are wrong: ${JSON.stringify(problems, null, 2)}`)
  const dependencies = Object.keys(published.dependencies)
  if (dependencies.join() !== 'hono' || published.devDependencies || published.scripts)
    throw new Error(`everything is bundled, and only hono's types are needed, not ${dependencies}`)
  await lintContents(published)
  await lintLinks()
  await lintTypes(published.exports['.'].import.types)
}

/** The source maps, which are not published, name every file that is in a bundle; the notices, the SBOM and the manifest have to name its package. */
async function lintContents({ bundled }) {
  const notices = await readFile(join(staged, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
  const { components } = JSON.parse(await readFile(join(staged, 'dist/sbom.cdx.json'), 'utf8'))
  const listed = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  // Those without a source map: of the page, of the reader of PDFs, and what packages contain.
  const names = new Set(['preact', '@codemirror/view', 'unpdf', 'pdfjs-dist', 'llhttp', '@faker-js/faker'])
  for (const file of await readdir(join(copy, 'dist'), { recursive: true })) {
    if (!file.endsWith('.map')) continue
    const { sources } = JSON.parse(await readFile(join(copy, 'dist', file), 'utf8'))
    for (const source of sources) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]
      if (name) names.add(name)
    }
  }
  const missing = [...names].filter(
    (name) => !listed.includes(name) || !bundled[name] || !notices.includes(`\n${name} `),
  )
  if (missing.length > 0) throw new Error(`not in the notices, the SBOM and the manifest: ${missing}`)
  passed(`the notices, the SBOM and the manifest name ${listed.length} packages`)
}

/** Every relative link and picture of a page is in the package. */
async function lintLinks() {
  const files = await readdir(staged, { recursive: true })
  let count = 0
  const dead = []
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    for (const link of linksOf(await readFile(join(staged, page), 'utf8'))) {
      const [path] = link.split('#')
      const target = posix.join(posix.dirname(page), path).replace(/\/$/, '')
      count++
      if (path !== '' && !files.includes(target)) dead.push(`${page}: ${link}`)
    }
  }
  if (dead.length > 0) throw new Error(`dead links in the package:\n${dead.join('\n')}`)
  const readme = await readFile(join(staged, 'README.md'), 'utf8')
  const [, first] = /^```sh.*\n(.*)/m.exec(readme) ?? []
  if (!first?.startsWith('npx petri-sandbox start')) throw new Error(`the README begins with ${first}`)
  passed(`${count} links and pictures of the package's pages lead somewhere`)
}

/** The public types, and what they refer to, are published and need no package but Node's types and Hono's. */
async function lintTypes(path, seen = new Set()) {
  if (seen.has(path)) return
  seen.add(path)
  const types = await readFile(join(staged, path), 'utf8')
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

async function runCommands(petri) {
  await withRunningPetri(petri, [], async (url) => {
    for (const format of formats) {
      const failed = await runEveryCommand({ main: await realpath(petri), url, format })
      if (failed.length > 0) throw new Error(`commands failed:\n${failed.join('\n')}`)
      passed(`every command runs as installed, in the format ${format}`)
    }
  })
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

async function useInstalled(tarball) {
  await writeFile(join(project, 'node.test.cjs'), nodeTest)
  await writeFile(join(project, 'vitest.test.js'), vitestTest)
  await writeFile(join(project, 'jest.test.cjs'), jestTest)
  await npmInstall(project, '--no-save', '--ignore-scripts', JEST, ...clientPackages)
  await symlink(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
  await copyUnchanged(project)
  const petri = await realpath(join(project, 'node_modules/.bin/petri'))
  // The runners' five seconds are short where several things run at once.
  const jest = ['node_modules/jest/bin/jest.js', '--testTimeout=90000', '--testMatch', '**/jest.test.cjs']
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=90000', 'vitest.test.js']
  const ways = [['program.mjs'], ['program.cjs'], ['--test', 'node.test.cjs'], jest, vitest]
  const next = NODES.length > 0 && (await installNextVitest(tarball))
  for (const node of [process.execPath, ...(await Promise.all(NODES.map(installNode)))]) {
    for (const way of ways) await use(node, way)
    await checkUnchanged(node, { project, petri })
    const version = (await run(node, ['--version'])).stdout.trim()
    if (next && !version.startsWith('v20.')) {
      await use(node, vitest, next)
      passed(`${NEXT_VITEST} with Node ${version}`)
    }
    await checkCompileCache(node, { petri, version })
    passed(`ESM, require, node:test, jest, vitest and unchanged programs with Node ${version}`)
  }
}

/** A command keeps its compiled code for the next one, where Node can: from 22.1 on. */
async function checkCompileCache(node, { petri, version }) {
  const temporary = await mkdtemp(join(folder, 'tmp-'))
  const env = { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: '' }
  await run(node, [petri, '--version'], { env })
  const isKept = (await readdir(temporary)).length > 0
  if (isKept !== !version.startsWith('v20.'))
    throw new Error(`Node ${version} ${isKept ? 'kept' : 'did not keep'} compiled code`)
}

async function use(node, args, cwd = project) {
  await run(node, args, { cwd }).catch(({ stdout, stderr }) => {
    throw new Error(`${node} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  })
}

/** Installs the package next to the later vitest, with the same test, and returns the folder. */
async function installNextVitest(tarball) {
  const where = join(folder, 'next-vitest')
  await mkdir(where)
  await writeFile(join(where, 'package.json'), '{ "private": true, "type": "module" }')
  await npmInstall(where, '--ignore-scripts', tarball, NEXT_VITEST)
  await writeFile(join(where, 'vitest.test.js'), vitestTest)
  return where
}

/** Installs a version of Node and returns the path of its binary. */
async function installNode(major) {
  const where = join(folder, `node-${major}`)
  await mkdir(where)
  await writeFile(join(where, 'package.json'), '{ "private": true }')
  await npmInstall(where, '--no-save', '--ignore-scripts=false', `node@${major}`)
  return join(where, 'node_modules/node/bin/node')
}

/** In the clone npx runs the clone's own command, without the registry, with the npm of each Node. */
async function runInClone() {
  for (const npm of ['10', '11']) {
    const where = join(folder, `npm-${npm}`)
    await mkdir(where)
    await writeFile(join(where, 'package.json'), '{ "private": true }')
    await npmInstall(where, '--no-save', '--ignore-scripts', `npm@${npm}`)
    const cache = join(folder, `npx-${npm}`)
    for (const command of ['petri', 'petri-sandbox']) {
      const args = [join(where, 'node_modules/npm/bin/npx-cli.js'), '--offline', `--cache=${cache}`, command]
      const { stdout } = await run(process.execPath, [...args, '--version'], { cwd: copy })
      if (stdout.trim() !== packed.version) throw new Error(`npx ${command} in the clone answered ${stdout}`)
    }
  }
  passed('npx petri-sandbox in the clone runs its own command, with npm 10 and 11')
}

async function refuseOldNode() {
  const node = await installNode(TOO_OLD)
  const main = join(project, 'node_modules', packed.name, packed.bin.petri)
  const { code, stderr } = await run(node, [main, 'start']).catch((error) => error)
  if (code !== 1 || !/^Petri needs Node 20\.19 or later; this is Node 18\.[\d.]+\.\n$/.test(stderr))
    throw new Error(`with Node 18 it ends with ${code} and says: ${stderr}`)
  for (const load of ['import', 'require']) {
    const line = load === 'import' ? `await import('${packed.name}')` : `require('${packed.name}')`
    const args = [`--input-type=${load === 'import' ? 'module' : 'commonjs'}`, '-e', line]
    const loaded = await run(node, args, { cwd: project }).catch((error) => error)
    if (!/Error: Petri needs Node 20\.19 or later; this is Node 18\./.test(loaded.stderr))
      throw new Error(`${load} with Node 18 says: ${loaded.stderr}`)
  }
  passed('Node 18 is refused in one sentence')
}

function passed(what) {
  console.log(`ok: ${what}`)
}
