import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileOf, platforms } from '../../scripts/binaries/platforms.mjs'
import { read, root } from '../support/root.ts'

const manifest = JSON.parse(read('package.json'))
const has = (tool: string) => spawnSync(tool, ['--version']).status === 0

/** Runs the script for files in place of the binaries. */
function packages(names: readonly string[]) {
  const [from, to] = ['from-', 'to-'].map((name) => mkdtempSync(join(tmpdir(), `petri-${name}`)))
  if (!from || !to) throw new Error('two folders')
  for (const name of names) writeFileSync(join(from, name), `#!/bin/sh\necho ${name}\n`)
  const script = join(root, 'scripts/release-packages.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, '--from', from, '--to', to], {
    encoding: 'utf8',
  })
  return { status, stderr, to }
}

const all = Object.keys(platforms).map(fileOf)

describe('the packages of a release', () => {
  it('are packages of Debian with the binaries', () => {
    const { status, stderr, to } = packages(all)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
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
    const { status, stderr } = packages(all.filter((name) => name !== 'petri-linux-arm64'))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^release-packages: .*petri-linux-arm64/)
  })

  it('name the version that the package and the clients have', () => {
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
