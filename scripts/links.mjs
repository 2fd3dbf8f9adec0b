/** The relative links and pictures of a page in Markdown, code left out. */
export function linksOf(text) {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
  return links.map(([, link, attribute]) => link ?? attribute).filter((link) => !/^\w+:/.test(link))
}
