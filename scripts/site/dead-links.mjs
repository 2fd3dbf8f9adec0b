import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** The links and pictures within a built site that lead to no file, or to no heading of it: `page: link`. */
export async function deadLinks(folder, base) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(...entry.parentPath.slice(folder.length).split(/[\\/]/), entry.name)),
  )
  const pages = new Map()
  for (const file of files) {
    const isPage = file.endsWith('.html') && !/^(examples|scenarios|seeds|404)/.test(file)
    if (isPage) pages.set(file, await readFile(join(folder, file), 'utf8'))
  }
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsIn(html)]))
  return [...pages].flatMap(([file, html]) =>
    [...new Set(linksIn(html))]
      .filter((link) => {
        const { origin, pathname, hash } = new URL(link, `http://site.example${base}${file}`)
        if (origin !== 'http://site.example') return false
        if (!pathname.startsWith(base)) return true
        const path = decodeURIComponent(pathname.slice(base.length))
        const target = [path, `${path}.html`, posix.join(path, 'index.html')].find((name) => files.has(name))
        if (target === undefined) return true
        return (
          hash.length > 1 && pages.has(target) && !anchors.get(target)?.has(decodeURIComponent(hash.slice(1)))
        )
      })
      .map((link) => `${file}: ${link}`),
  )
}

const decode = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const linksIn = (html) => [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => decode(link))
const anchorsIn = (html) => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decode(id)))
