import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fileOf as nameOf, ownPlatform, platforms } from '../../scripts/binaries/platforms.mjs'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { pageOf, pdfOf } from '../support/reports.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../release/binaries/', import.meta.url))
const fileOf = (platform: string) => join(folder, nameOf(platform))
const binary = fileOf(ownPlatform)

/** What the executables of each system begin with, and the processor that they name. Sources: elf(5), Mach-O loader.h, the PE format. */
const formats: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'linux-x64': (head) => head.readUInt32BE(0) === 0x7f454c46 && head.readUInt16LE(18) === 0x3e,
  'linux-arm64': (head) => head.readUInt32BE(0) === 0x7f454c46 && head.readUInt16LE(18) === 0xb7,
  'macos-x64': (head) => head.readUInt32LE(0) === 0xfeedfacf && head.readUInt32LE(4) === 0x01000007,
  'macos-arm64': (head) => head.readUInt32LE(0) === 0xfeedfacf && head.readUInt32LE(4) === 0x0100000c,
  'windows-x64': (head) => {
    const at = head.readUInt32LE(0x3c)
    return head.toString('latin1', at, at + 4) === 'PE\0\0' && head.readUInt16LE(at + 4) === 0x8664
  },
}

/** The folder of a system that has nothing but the libraries of C, which Node needs. */
function emptyRoot(): string {
  const root = makeFolder('petri-root-')
  const { stdout } = spawnSync('ldd', [binary], { encoding: 'utf8' })
  for (const [library = ''] of stdout.matchAll(/\/\S+\.so\S*/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  mkdirSync(join(root, 'tmp'))
  copyFileSync(binary, join(root, basename(binary)))
  return root
}

const isolated = ['-rn', 'sh', '-c', 'ip link set lo up && exec chroot "$0" "$@"']
const canIsolate = spawnSync('unshare', ['-rn', 'true']).status === 0

openNetwork()

// Built by `npm run binaries`, as CI does before the tests of the package.
describe('the binary', { timeout: 120_000 }, () => {
  it('runs where there is neither Node nor anything else', async ({ skip }) => {
    if (!existsSync(binary)) return skip(`${basename(binary)} is not built: "npm run binaries" does`)
    if (!canIsolate) return skip('"unshare -rn" does not run here')
    const root = emptyRoot()
    const petri = (...args: string[]) =>
      run('unshare', [...isolated, root, `/${basename(binary)}`, ...args], { env: {} })
    expect((await petri('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await petri('scenario', 'try', 'happy-path')).stdout).toContain('completed')
    const { stdout } = await petri(
      'exec',
      '--',
      `/${basename(binary)}`,
      'order',
      'place',
      '--status',
      'completed',
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
  })

  it('reads PDFs in a process of its own', async ({ skip }) => {
    if (!existsSync(binary)) return skip(`${basename(binary)} is not built: "npm run binaries" does`)
    const child = spawn(binary, ['start', '--port', '0', '--data', 'memory', '--log-format', 'json'])
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { url } = JSON.parse(line)
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { 'x-vital-api-key': 'sk_us_petri', ...init.headers },
      })
      return (await response.json()) as Record<string, unknown>
    }
    const json = { 'content-type': 'application/json' }
    const { user_id } = await call('/v2/user', {
      method: 'POST',
      headers: json,
      body: '{"client_user_id":"ada"}',
    })
    const form = new FormData()
    const pdf = pdfOf([pageOf([['HDL Cholesterol 58 mg/dL >39', 40, 640]])])
    form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'report.pdf')
    form.append('user_id', String(user_id))
    const { job_id } = await call('/lab_report/v1/parser/job', { method: 'POST', body: form })
    await call('/_petri/clock/advance', { method: 'POST', headers: json, body: '{"until":"idle"}' })
    expect(JSON.stringify(await call(`/lab_report/v1/parser/job/${job_id}`))).toContain('HDL Cholesterol')
    child.kill()
  })

  for (const [platform, isOf] of Object.entries(formats)) {
    it(`for ${platform} is an executable of that system, of at most 130 MB, and 45 MB as .gz`, ({ skip }) => {
      const file = fileOf(platform)
      if (!existsSync(file)) return skip(`${basename(file)} is not built: "npm run binaries -- --all" does`)
      const head = Buffer.alloc(4096)
      readSync(openSync(file, 'r'), head, 0, head.length, 0)
      expect(isOf(head)).toBe(true)
      expect(statSync(file).size).toBeLessThan(130e6)
      expect(statSync(`${file}.gz`).size).toBeLessThan(45e6)
    })
  }

  it('for linux-arm64 runs on that processor, here an emulated one', async ({ skip }) => {
    const file = fileOf('linux-arm64')
    if (!existsSync(file)) return skip(`${basename(file)} is not built: "npm run binaries -- --all" does`)
    const libraries = '/usr/aarch64-linux-gnu'
    const canEmulate = existsSync(libraries) && spawnSync('qemu-aarch64-static', ['--version']).status === 0
    if (!canEmulate)
      return skip('qemu-user-static, libc6-arm64-cross and libstdc++6-arm64-cross are not installed')
    const { stdout } = await run('qemu-aarch64-static', [
      '-L',
      libraries,
      file,
      'scenario',
      'try',
      'happy-path',
    ])
    expect(stdout).toContain('completed')
  })

  it('has a format for each platform', () => {
    expect(Object.keys(formats).sort()).toEqual(Object.keys(platforms).sort())
  })
})
