import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fileOf, platforms } from '../../scripts/binaries/platforms.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const has = (tool: string) => spawnSync(tool, ['--version']).status === 0

/** Runs the script for files in place of the binaries. */
function packages(names: readonly string[]) {
  const [from, to] = ['from-', 'to-'].map((name) => mkdtempSync(join(tmpdir(), `petri-${name}`)))
  if (!from || !to) throw new Error('two folders')
  const sums = names.map((name) => {
    const text = `#!/bin/sh\necho ${name}\n`
    writeFileSync(join(from, name), text)
    return `${createHash('sha256').update(text).digest('hex')}  ${name}\n`
  })
  writeFileSync(join(from, 'SHA256SUMS'), sums.join(''))
  const script = join(root, 'scripts/release-packages.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, '--from', from, '--to', to], {
    encoding: 'utf8',
  })
  const sumOf = (name: string) => sums.find((line) => line.endsWith(` ${name}\n`))?.split(' ')[0] ?? ''
  return { status, stderr, sumOf, to, read: (name: string) => readFileSync(join(to, name), 'utf8') }
}

const all = Object.keys(platforms).flatMap((platform) => [fileOf(platform), `${fileOf(platform)}.gz`])

describe('the packages of a release', () => {
  it('are a formula, a manifest and packages of Debian with the sums of the binaries', () => {
    const { status, stderr, sumOf, to, read } = packages(all)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const formula = read('petri.rb')
    for (const name of ['linux-x64', 'linux-arm64', 'macos-x64', 'macos-arm64'])
      expect(formula).toContain(
        `/v${manifest.version}/petri-${name}.gz"\n      sha256 "${sumOf(`petri-${name}.gz`)}"`,
      )
    if (has('ruby')) execFileSync('ruby', ['-c', join(to, 'petri.rb')])
    const scoop = JSON.parse(read('petri.json'))
    // The fields that Scoop requires, and the forms that it takes. Source: "App Manifests" of Scoop's wiki.
    expect(scoop).toEqual({
      version: manifest.version,
      description: expect.any(String),
      homepage: expect.stringMatching(/^https:/),
      license: manifest.license,
      architecture: {
        '64bit': {
          url: expect.stringMatching(/^https:.*\/petri-windows-x64\.exe#\/petri\.exe$/),
          hash: sumOf('petri-windows-x64.exe'),
        },
      },
      bin: 'petri.exe',
    })
    for (const text of [formula, read('petri.json')]) expect(text).not.toContain('{{')
    if (!has('dpkg-deb')) return
    const archive = join(to, `petri-sandbox_${manifest.version}_amd64.deb`)
    expect(execFileSync('dpkg-deb', ['--field', archive, 'Architecture'], { encoding: 'utf8' })).toBe(
      'amd64\n',
    )
    const installed = mkdtempSync(join(tmpdir(), 'petri-'))
    execFileSync('dpkg-deb', ['--extract', archive, installed])
    expect(execFileSync(join(installed, 'usr/bin/petri'), { encoding: 'utf8' })).toBe('petri-linux-x64\n')
  })

  it('are refused when a binary is missing', () => {
    const { status, stderr } = packages(all.filter((name) => !name.startsWith('petri-windows')))
    expect(status).toBe(1)
    expect(stderr).toBe(
      'release-packages: SHA256SUMS does not name petri-windows-x64.exe: "npm run binaries -- --all" builds all.\n',
    )
  })

  it('name the version that the package and the clients have', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    expect(read('clients/python/pyproject.toml')).toContain(`\nversion = "${manifest.version}"\n`)
    expect(read('clients/go/petricontainer/go.mod')).toContain(`clients/go v${manifest.version}\n`)
    const java = 'clients/java-testcontainers'
    const pom = read(`${java}/pom.xml`).match(
      /<artifactId>petri-sandbox(?:-testcontainers)?<\/artifactId>\s*<version>(.*)</g,
    )
    expect(pom).toEqual([
      expect.stringContaining(manifest.version),
      expect.stringContaining(manifest.version),
    ])
    expect(read(`${java}/src/main/java/petri/sandbox/testcontainers/PetriContainer.java`)).toContain(
      `/petri-sandbox:${manifest.version}"`,
    )
    expect(read('clients/java/pom.xml')).toContain(
      `<artifactId>petri-sandbox</artifactId>\n  <version>${manifest.version}</version>`,
    )
  })
})
