import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.mjs'],
    // In this repository the package is not in node_modules, where vitest would take it as it is.
    server: { deps: { external: [/\/dist\//] } },
  },
})
