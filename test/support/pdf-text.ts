import { inflateSync } from 'node:zlib'

/** The content of each page of a PDF of Petri's. */
function contentsOf(file: Buffer): string[] {
  const contents: string[] = []
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 1)) {
    if (file.subarray(at - 3, at).toString() === 'end') continue
    const end = file.indexOf('endstream', at)
    contents.push(inflateSync(file.subarray(at + 7, end)).toString('latin1'))
  }
  return contents
}

/** What is written on each page of a PDF of Petri's, one string a drawn text. */
export const pagesOf = (file: Buffer): string[][] =>
  contentsOf(file)
    .map((content) =>
      [...content.matchAll(/<([0-9A-Fa-f]+)> Tj/g)].map(([, hex = '']) =>
        Buffer.from(hex, 'hex').toString('latin1'),
      ),
    )
    .filter((texts) => texts.length > 0)

/** A drawn text; `y` is its baseline below the top edge, all lengths are points. */
export interface DrawnText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly isBold: boolean
  /** Red, green and blue. */
  readonly colour: string
}

/** A drawn rectangle; `y` is its upper edge. */
export interface DrawnBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly isFilled: boolean
  readonly colour: string
}

export interface DrawnPage {
  readonly texts: readonly DrawnText[]
  readonly boxes: readonly DrawnBox[]
}

const rounded = (value: string | undefined) => Math.round(Number(value) * 100) / 100

/** What is drawn on each page of a PDF of Petri's, with where it stands. */
export function drawnOn(file: Buffer): DrawnPage[] {
  const [, , height] = /MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]/.exec(file.toString('latin1')) ?? []
  const fromTop = (y: string | undefined) => rounded(String(Number(height) - Number(y)))
  return contentsOf(file).map((content) => ({
    texts: [
      ...content.matchAll(
        /([\d. ]+) rg\n\/Helvetica(-Bold)?-\d+ ([\d.]+) Tf\n.*\n1 0 0 1 (\S+) (\S+) Tm\n<([0-9A-Fa-f]*)> Tj/g,
      ),
    ].map(([, colour = '', bold, size, x, y, hex = '']) => ({
      text: Buffer.from(hex, 'hex').toString('latin1'),
      x: rounded(x),
      y: fromTop(y),
      size: Number(size),
      isBold: bold !== undefined,
      colour,
    })),
    boxes: [
      ...content.matchAll(
        /q\n1 0 0 1 (\S+) (\S+) cm\n(?:1 0 0 .*\n)*([\d. ]+) (rg|RG)\n(?:.* w\n)?.* d\n0 0 m\n(\S+) 0 l\n\S+ (\S+) l/g,
      ),
    ].map(([, x, bottom, colour = '', how, width, tall]) => ({
      x: rounded(x),
      // Rectangles are drawn from their upper edge downwards.
      y: fromTop(bottom),
      width: rounded(width),
      height: rounded(tall),
      isFilled: how === 'rg',
      colour,
    })),
  }))
}
