import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { commentsOf, stringsOf } from '../support/sources.ts'

// The words of pages, help texts, messages and comments: what readers stumbled over is found, with what to write instead.

const { render, textOf }: { render(markdown: string): string; textOf(html: string): string } = await import(
  join(root, 'scripts/rendered.mjs')
)

interface Rule {
  readonly found: RegExp
  readonly write: string
}

const LONGEST = 30
const word = String.raw`[^\s\p{L}\p{N}]*[\p{L}\p{N}]\S*`

// The first two are for pages only: a comment may be long, or a phrase for what a field is.
// biome-ignore format: a table
const rules: readonly Rule[] = [
  { found: RegExp(String.raw`(?:${word}\s+(?:[^\p{L}\p{N}\s]+\s+)*){${LONGEST}}${word}`, 'u'), write: 'two sentences' },
  { found: /^What (?!you )[^?:]*\b(is|are|gets?|comes?|goes)\b [^?]*\.$/, write: 'the noun itself' },
  { found: /(?<!\bregardless )\bof wh(ich|om)\b/i, write: 'whose, or two sentences' },
  { found: /^what comes of\b|\bwhat (came|became) of\b|\bcomes? of\b/i, write: 'the effect, the outcome, results from' },
  { found: /(?<!\bthere )\b(is|are|was) no (?!longer|more|matter|such|less)\w/i, write: 'is not a' },
  { found: /\b(has|have) none of\b/i, write: 'does not have' },
  { found: /\bbut for\b/i, write: 'except' },
  { found: /\bbesides\b/i, write: 'apart from, in addition to' },
  { found: /\bin vain\b/i, write: 'failed, timed out' },
  { found: /\bas far as\b/i, write: 'if, where, those that' },
  { found: /\bno more\b(?! \w)/i, write: 'no longer' },
  { found: /\bshall\b/i, write: 'should, must' },
  { found: /\bbeside\b/i, write: 'next to, or except' },
  { found: /\bby hand\b/i, write: 'manually' },
  { found: /\banew\b/i, write: 'again' },
  { found: /\b(stands?|stood) (in|there)\b/i, write: 'is in' },
  { found: /\bleads? (there|nowhere)\b/i, write: 'reaches it, has no effect' },
  { found: /\bwhoever\b/i, write: 'anyone who' },
  { found: /\bnothing reads?\b/i, write: 'is ignored' },
  { found: /\btold of\b/i, write: 'notified of' },
  { found: /\bbrings? about\b/i, write: 'causes' },
  { found: /\bstruck\b|\bsuffers?\b/i, write: 'is hit by, has' },
  { found: /\bgo(es|ne)? on\b(?! (a|the|after it)\b)/, write: 'continues' },
  { found: /\b(is|are) so\b(?! \w)/i, write: 'the condition' },
  { found: /^(Answers|Told) (of|the|a|an|requests?|calls?|with)\b/, write: 'Returns, Called with' },
]

const markdown = [
  ...readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...['docs', 'clients', 'skills'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.md') ? [`${folder}/${name}`] : [],
    ),
  ),
].filter((file) => existsSync(join(root, file)))

const split = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?][)”"]*) /)

/** The sentences of a page. Inline code counts as one word. */
function sentencesOf(page: string): string[] {
  const html = render(page)
    .replace(/<pre[\s\S]*?<\/pre>/g, '')
    .replace(/<code>[\s\S]*?<\/code>/g, 'code')
  const blocks = html.matchAll(/<(?:p|li|t[dh]|h\d)>((?:(?!<\/?(?:p|li|t[dh]|h\d|ul|ol)\b)[\s\S])*)/g)
  return [...blocks].flatMap(([, block = '']) => split(textOf(block)))
}

const offences = (sentences: readonly string[], checked = rules) =>
  checked.flatMap(({ found, write }) =>
    sentences.filter((sentence) => found.test(sentence)).map((sentence) => `${sentence} (write: ${write})`),
  )

describe('plain English is written in', () => {
  it.each(markdown)('%s', (file) => {
    expect(offences(sentencesOf(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it.each(readdirSync(join(root, 'src')))('the messages and comments of src/%s', (folder) => {
    expect(offences([...stringsOf(folder), ...commentsOf(folder)].flatMap(split), rules.slice(2))).toEqual([])
  })
})
