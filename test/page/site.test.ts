import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { generatedParts } from '../../scripts/site/main.ts'
import type { PartOfSite } from '../../scripts/site/part.ts'
import { eventTypeNames } from '../../src/resources/event-types.ts'
import { root } from '../support/root.ts'

let gallery: PartOfSite
let reference: PartOfSite
beforeAll(async () => {
  const [first, second] = await generatedParts()
  if (!first || !second) throw new Error('two parts')
  gallery = first
  reference = second
})

const anchorsOf = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The part of a page under a heading. */
const section = (page: string, heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

describe('the gallery of scenarios', () => {
  it.each([
    ['', ['testkit', 'walk-in-test', 'at-home-phlebotomy', 'on-site-collection']],
    ['feeds', ['feeds']],
    ['personas', ['personas']],
  ])('shows each file of scenarios/%s', (folder, pages) => {
    const text = pages.map((page) => gallery.files[`gallery/${page}.md`]).join('\n')
    const names = readdirSync(join(root, 'scenarios', folder))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => name.replace('.yaml', ''))
    expect(names.filter((name) => !section(text, name).includes(`name: ${name}`))).toEqual([])
  })

  it('draws the lifecycle of a scenario, and says the same in words', () => {
    const text = section(gallery.files['gallery/walk-in-test.md'] ?? '', 'walk-in-no-show')
    expect(text).toContain('![Timeline of walk-in-no-show](pictures/walk-in-no-show-walk-in-test.svg)')
    expect(text).toContain('1. at the appointment: **appointment cancelled**')
    const picture = gallery.files['gallery/pictures/walk-in-no-show-walk-in-test.svg'] ?? ''
    expect(picture).toMatch(/^<svg xmlns="[^"]+" width="640" height="180"/)
    expect(picture.match(/<circle/g)).toHaveLength(8)
    expect(picture).toContain('appointment cancelled')
  })

  it('draws a map of each workflow, with all of its statuses', () => {
    const maps = [
      ...(gallery.files['gallery/testkit.md'] ?? '').matchAll(/!\[Map of [^\]]+\]\((.+)\)[^!]*?<\/details>/g),
    ]
    expect(maps.map(([, picture]) => picture)).toEqual([
      'pictures/registered-kit.svg',
      'pictures/registrable-kit.svg',
    ])
    for (const [words, picture] of maps)
      expect(gallery.files[`gallery/${picture}`]?.match(/<circle/g)?.length).toBe(
        words.match(/^- /gm)?.length,
      )
  })
})

describe('the reference', () => {
  it('has every operation, and every event type', () => {
    const pages = Object.values(reference.files).join('\n')
    const [, served] = /serves (\d+) operations/.exec(reference.files['reference/README.md'] ?? '') ?? []
    expect(Object.keys(reference.links)).toHaveLength(Number(served))
    expect(Object.keys(reference.links).filter((id) => !pages.includes(`\n## ${id}\n`))).toEqual([])
    const events = reference.files['reference/events.md'] ?? ''
    expect([...eventTypeNames()].filter((name) => !events.includes(`\`${name}\``))).toEqual([])
  })

  it('says what an operation takes, and what it answers', () => {
    const text = section(reference.files['reference/order.md'] ?? '', 'testkit_create_order')
    expect(text).toContain('`POST /v3/order/testkit`')
    expect(text).toContain('Body: [NewKitOrder](#schema-newkitorder)')
    expect(text).toContain('- 200: [OrderAnswer](#schema-orderanswer)')
    const body = section(reference.files['reference/order.md'] ?? '', 'Schema NewKitOrder')
    expect(body).toContain('| `lab_test_id` | uuid |')
    expect(body).toContain('| `passthrough`? | string or null |')
  })
})

it('what is generated for the site links to files and headings that are there', { tags: 'slow' }, () => {
  const files = { ...gallery.files, ...reference.files }
  const dead = Object.entries(files).flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      const [to = '', anchor] = link.split('#')
      const target = to === '' ? path : posix.join(posix.dirname(path), to)
      const page = files[target]
      const isThere =
        page === undefined
          ? existsSync(join(root, target))
          : anchor === undefined || anchorsOf(page).includes(anchor)
      return isThere ? [] : [`${path}: ${link}`]
    }),
  )
  expect(dead).toEqual([])
})
