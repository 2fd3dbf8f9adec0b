import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commentsOf, stringsOf } from '../support/sources.ts'

// The words of pages, help texts, messages and comments: what readers stumbled over is found, with what to write instead.

const root = fileURLToPath(new URL('../../', import.meta.url))
const { render, textOf }: { render(markdown: string): string; textOf(html: string): string } = await import(
  join(root, 'scripts/rendered.mjs')
)

interface Rule {
  readonly found: RegExp
  readonly write: string
  /** A sentence in which it is found, and one in which it is not. */
  readonly wrong: string
  readonly right: string
}

const LONGEST = 30
const word = String.raw`[^\s\p{L}\p{N}]*[\p{L}\p{N}]\S*`
const words = (count: number) => Array(count).fill('word').join(' ')

// The first two are for pages only: a comment may be long, or a phrase for what a field is.
// biome-ignore format: a table
const rules: readonly Rule[] = [
  { found: RegExp(String.raw`(?:${word}\s+(?:[^\p{L}\p{N}\s]+\s+)*){${LONGEST}}${word}`, 'u'), write: 'two sentences', wrong: words(31), right: words(30) },
  { found: /^What (?!you )[^?:]*\b(is|are|gets?|comes?|goes)\b [^?]*\.$/, write: 'the noun itself', wrong: 'What is wrong with it is listed.', right: 'Its mistakes are listed.' },
  { found: /(?<!\bregardless )\bof wh(ich|om)\b/i, write: 'whose, or two sentences', wrong: 'six decimals, of which three are zero', right: 'six decimals; the last three are zero' },
  { found: /^what comes of\b|\bwhat (came|became) of\b|\bcomes? of\b/i, write: 'the effect, the outcome, results from', wrong: 'What comes of a scenario', right: 'The effects of a scenario' },
  { found: /(?<!\bthere )\b(is|are|was) no (?!longer|more|matter|such|less)\w/i, write: 'is not a', wrong: 'a text that is no id', right: 'there is no id' },
  { found: /\b(has|have) none of\b/i, write: 'does not have', wrong: 'The record has none of these.', right: 'The record does not have these.' },
  { found: /\bbut for\b/i, write: 'except', wrong: 'all but for the last', right: 'all but the last' },
  { found: /\bbesides\b/i, write: 'apart from, in addition to', wrong: 'Besides the clock there is scenario time.', right: 'In addition to the clock there is scenario time.' },
  { found: /\bin vain\b/i, write: 'failed, timed out', wrong: 'why a wait was in vain', right: 'why a wait failed' },
  { found: /\bas far as\b/i, write: 'if, where, those that', wrong: 'the names, as far as they were read', right: 'the names that were read' },
  { found: /\bno more\b(?! \w)/i, write: 'no longer', wrong: 'those that are no more', right: 'a scenario with no more steps' },
  { found: /\bshall\b/i, write: 'should, must', wrong: 'programs shall trust it', right: 'programs should trust it' },
  { found: /\bbeside\b/i, write: 'next to, or except', wrong: 'a file beside the test', right: 'a file next to the test' },
  { found: /\bby hand\b/i, write: 'manually', wrong: 'a move by hand', right: 'a manual move' },
  { found: /\banew\b/i, write: 'again', wrong: 'It is made anew.', right: 'It is created again.' },
  { found: /\b(stands?|stood) (in|there)\b/i, write: 'is in', wrong: 'It stands in the schema.', right: 'It is in the schema. The clock stands still.' },
  { found: /\bleads? (there|nowhere)\b/i, write: 'reaches it, has no effect', wrong: 'No job leads there.', right: 'No job reaches it.' },
  { found: /\bwhoever\b/i, write: 'anyone who', wrong: 'whoever has the key', right: 'anyone who has the key' },
  { found: /\bnothing reads?\b/i, write: 'is ignored', wrong: 'Nothing reads body.nickname.', right: 'Unknown field body.nickname.' },
  { found: /\btold of\b/i, write: 'notified of', wrong: 'The team is told of it.', right: 'The team is notified of it.' },
  { found: /\bbrings? about\b/i, write: 'causes', wrong: 'What the job brings about', right: 'What the job causes' },
  { found: /\bstruck\b|\bsuffers?\b/i, write: 'is hit by, has', wrong: 'struck by the fault', right: 'hit by the fault' },
  { found: /\bgo(es|ne)? on\b(?! (a|the|after it)\b)/, write: 'continues', wrong: 'It goes on by itself.', right: 'It continues. A device goes on after it.' },
  { found: /\b(is|are) so\b(?! \w)/i, write: 'the condition', wrong: 'wait until it is so', right: 'wait for the condition' },
  { found: /^(Answers|Told) (of|the|a|an|requests?|calls?|with)\b/, write: 'Returns, Called with', wrong: 'Answers the order', right: 'Returns the order' },
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

describe('the rule', () => {
  it.each(rules)('that finds "$wrong" does not find "$right"', ({ found, wrong, right }) => {
    expect(found.test(wrong)).toBe(true)
    expect(found.test(right)).toBe(false)
  })
})

describe('plain English is written in', () => {
  it.each(markdown)('%s', (file) => {
    expect(offences(sentencesOf(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it.each(readdirSync(join(root, 'src')))('the messages and comments of src/%s', (folder) => {
    expect(offences([...stringsOf(folder), ...commentsOf(folder)].flatMap(split), rules.slice(2))).toEqual([])
  })
})
