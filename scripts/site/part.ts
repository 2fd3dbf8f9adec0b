/** A part of the site that follows from the code. */
export interface PartOfSite {
  /** Its heading in the sidebar. */
  readonly text: string
  /** Titles of its pages for the sidebar, by path without `.md`. */
  readonly pages: Readonly<Record<string, string>>
  /** Its pages and pictures by path. */
  readonly files: Readonly<Record<string, string>>
  /** Where it describes what other pages list by name. */
  readonly links: Readonly<Record<string, string>>
}

export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const page = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`
