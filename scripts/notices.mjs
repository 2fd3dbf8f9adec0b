import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/

/** The licences of all bundled packages. Throws if a package has none. */
export async function thirdPartyNotices({ outputs }) {
  const folders = new Set()
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = PACKAGE.exec(path)?.[0]
      if (folder && bytesInOutput > 0) folders.add(folder)
    }
  }
  const notices = await Promise.all([...folders].sort().map(noticeOf))
  return `Petri contains the following packages.\n\n${notices.join('\n')}`
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const files = (await readdir(join(root, folder))).filter((file) =>
    /^(licen[cs]e|notice|copying)/i.test(file),
  )
  if (files.length === 0 && !license) throw new Error(`${name} comes without a licence`)
  const texts = await Promise.all(files.sort().map((file) => readFile(join(root, folder, file), 'utf8')))
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
}
