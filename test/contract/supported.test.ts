import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { contractOperations } from '../../scripts/contract-operations.ts'
import { generatedFiles } from '../../scripts/generate/files.ts'

const root = new URL('../../', import.meta.url)

// Every schema is built, and every page written.
it('generated files are what the code says (npm run generate)', {
  timeout: 60_000,
  tags: 'slow',
}, async () => {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    expect(await readFile(new URL(path, root), 'utf8'), `${path} is stale`).toBe(text)
  }
})

it('the support matrix has every operation of the contract', async () => {
  const matrix = await readFile(new URL('SUPPORTED.md', root), 'utf8')
  expect(contractOperations).toHaveLength(207)
  for (const [id] of contractOperations) expect(matrix).toContain(`| ${id} |`)
})
