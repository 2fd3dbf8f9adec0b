#!/usr/bin/env node
import module from 'node:module'

// Everything else is imported after this check, because an older Node cannot even link it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Petri needs Node 20.19 or later; this is Node ${process.versions.node}.`)
  process.exit(1)
}
// Node 22.1 and later keep compiled code in a folder for temporary files, which saves a quarter of a start.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
import('./process.ts')
