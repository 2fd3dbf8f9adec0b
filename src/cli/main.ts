#!/usr/bin/env node
import module from 'node:module'
import { whyTooOld } from '../kernel/node-version.ts'

// Everything else is imported after this check, because an older Node may not even run it.
const reason = whyTooOld()
if (reason !== undefined) {
  console.error(reason)
  process.exit(1)
}
// Node 22.1 and later keep compiled code in a folder for temporary files, which saves a quarter of a start.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
import('./process.ts')
