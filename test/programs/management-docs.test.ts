import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'

const page = readFileSync(new URL('../../docs/management.md', import.meta.url), 'utf8')
const block = (language: string) => page.split(`\n\`\`\`${language}\n`)[1]?.split('```\n')[0] ?? ''

it('the script in docs/management.md sets up an organisation and prints what the page says', async () => {
  const folder = makeFolder('petri-management-')
  const script = join(folder, 'set-up.mjs')
  writeFileSync(script, block('js'))
  const { child, ready } = await startPetri()
  try {
    const env = { PATH: process.env.PATH ?? '', PETRI_URL: ready.url }
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env })
    expect(stdout).toBe(block('text'))
  } finally {
    expect(await stop(child)).toBe(0)
    rmSync(folder, { recursive: true })
  }
})
