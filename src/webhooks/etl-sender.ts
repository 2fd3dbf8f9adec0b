import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ownCallHeaders } from '../kernel/own-calls.ts'
import type { EtlSender } from '../resources/etl/service.ts'
import type { OutgoingCalls } from './outgoing.ts'

/** Sends as webhooks are sent, with the same limits; writes files only below one folder. */
export const createEtlSender = (outgoing: OutgoingCalls, root: string | undefined): EtlSender => ({
  hasFolder: root !== undefined,
  async post(url, lines, run) {
    const headers = { ...ownCallHeaders, 'content-type': 'application/x-ndjson' }
    const { error } = await outgoing.post(url, { url, headers, body: lines }, run)
    if (error !== undefined) throw new Error(error)
  },
  async append(folder, file, lines) {
    if (root === undefined) throw new Error('Petri was started without PETRI_ETL_FOLDER.')
    await mkdir(join(root, folder), { recursive: true })
    await appendFile(join(root, folder, file), lines)
  },
})
