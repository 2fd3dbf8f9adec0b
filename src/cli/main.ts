#!/usr/bin/env node
// Everything else is imported after this check, because an older Node cannot even link it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Petri needs Node 20.19 or later; this is Node ${process.versions.node}.`)
  process.exit(1)
}
await import('./process.ts')

export {}
