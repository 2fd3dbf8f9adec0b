import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageFolder } from '../../src/kernel/package-folder.ts'

interface Part {
  readonly text: string
  /** Titles by path, from the root of the repository and without `.md`. */
  readonly pages: Readonly<Record<string, string>>
}

/** `docs/llms.txt`: the pages of the documentation for language models (https://llmstxt.org). */
export function listOfPages(): string {
  const root = dirname(packageFolder('docs'))
  const parts = JSON.parse(readFileSync(join(root, 'site/.vitepress/contents.json'), 'utf8')) as Part[]
  const sections = parts.flatMap(({ text, pages }) => {
    const own = Object.entries(pages).filter(([page]) => page.startsWith('docs/') && page !== 'docs/README')
    return [
      '',
      `## ${text}`,
      '',
      ...own.map(([page, title]) => `- [${title}](${page.slice('docs/'.length)}.md)`),
    ]
  })
  return `${[
    '# Petri',
    '',
    '> An offline sandbox of the Lab Testing and Health Data Service, the API that the Vital client libraries call: the same',
    '> answers, a clock that you control, signed webhooks. It needs no account and no network.',
    ...sections,
  ].join('\n')}\n`
}
