import { inflateSync } from 'node:zlib'

/** What is written on each page of a PDF of Petri's, one string a drawn text. */
export function pagesOf(file: Buffer): string[][] {
  const pages: string[][] = []
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 1)) {
    if (file.subarray(at - 3, at).toString() === 'end') continue
    const end = file.indexOf('endstream', at)
    const content = inflateSync(file.subarray(at + 7, end)).toString('latin1')
    const texts = [...content.matchAll(/<([0-9A-Fa-f]+)> Tj/g)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    )
    if (texts.length > 0) pages.push(texts)
  }
  return pages
}
