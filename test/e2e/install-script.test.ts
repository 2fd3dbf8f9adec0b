import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../support/new-folder.ts'

const script = fileURLToPath(new URL('../../packaging/install.sh', import.meta.url))
const packed = gzipSync('#!/bin/sh\necho 1.2.3\n')
const sum = createHash('sha256').update(packed).digest('hex')

/** Runs it with binaries that are in a folder, on a system that `uname` names. */
async function install({
  system = 'Linux',
  machine = 'x86_64',
  library = 'ldd (GNU libc) 2.36',
  sums = `${sum}  petri-linux-x64.gz\n`,
  args = [] as string[],
} = {}) {
  const folder = makeFolder('petri-')
  const [bin, from, to] = ['bin', 'from', 'to'].map((name) => join(folder, name))
  if (!bin || !from || !to) throw new Error('three folders')
  mkdirSync(bin)
  mkdirSync(from)
  writeFileSync(join(bin, 'uname'), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${machine}\n`, {
    mode: 0o755,
  })
  // That of musl has no --version, and prints its name with the usage.
  writeFileSync(join(bin, 'ldd'), `#!/bin/sh\necho '${library}' >&2\nexit 1\n`, { mode: 0o755 })
  writeFileSync(join(from, 'petri-linux-x64.gz'), packed)
  writeFileSync(join(from, 'SHA256SUMS'), sums)
  const env = { PATH: [bin, process.env.PATH].join(delimiter), HOME: folder }
  const run = promisify(execFile)('sh', [script, '--from', from, '--to', to, ...args], { env })
  const { code = 0, stdout, stderr } = await run.catch((error) => error)
  return { code, stdout, stderr, installed: join(to, 'petri'), from }
}

describe('install.sh', () => {
  it('installs the binary for this system', { tags: 'slow' }, async () => {
    const { code, stdout, installed } = await install()
    expect([code, stdout]).toEqual([0, `Installed ${installed}, version 1.2.3.\n`])
  })

  it.each([
    [
      'a checksum that does not match',
      { sums: `${'0'.repeat(64)}  petri-linux-x64.gz\n` },
      /^install\.sh: the checksum of petri-linux-x64\.gz does not match SHA256SUMS; nothing was installed\.\n$/,
    ],
    [
      'a file without a checksum',
      { sums: '' },
      /^install\.sh: SHA256SUMS does not name petri-linux-x64\.gz\.\n$/,
    ],
    ['another system', { system: 'FreeBSD' }, /^install\.sh: there is no binary for FreeBSD; [^\n]*\n$/],
    [
      'another processor',
      { machine: 'riscv64' },
      /^install\.sh: there is no binary for Linux on riscv64; [^\n]*\n$/,
    ],
    [
      'a Linux with musl',
      { library: 'musl libc (x86_64)' },
      /^install\.sh: there is no binary for musl, the library of this Linux; with Node, run: npx petri-sandbox start\n$/,
    ],
    ['a binary that is not there', { machine: 'aarch64' }, /petri-linux-arm64\.gz cannot be read from /],
    [
      'an unknown option',
      { args: ['--into'] },
      /^install\.sh: unknown option --into; there are --from and --to\.\n$/,
    ],
  ])('refuses %s', async (_, options, reason) => {
    const { code, stderr, installed } = await install(options)
    expect(code).toBe(1)
    expect(stderr).toMatch(reason)
    expect(existsSync(installed)).toBe(false)
  })
})
