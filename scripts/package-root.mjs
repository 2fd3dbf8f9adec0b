import { existsSync } from 'node:fs'

/** The nearest folder above this file that has a package.json. */
function find(from) {
  const above = new URL('../', from)
  return existsSync(new URL('package.json', from)) || above.href === from.href ? from : find(above)
}

export const __packageRoot = /* @__PURE__ */ find(new URL('./', import.meta.url))
