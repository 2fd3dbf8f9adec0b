import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EtlSender } from '../resources/etl/service.ts'
import { isSuccess, TIMEOUT_MS } from './retry-schedule.ts'
import type { Transport } from './transport.ts'

/** Sends over the transport of webhooks, with the same check of addresses; writes files only below one folder. */
export const createEtlSender = (transport: Transport, root: string | undefined): EtlSender => ({
  hasFolder: root !== undefined,
  async post(url, lines) {
    const headers = { 'content-type': 'application/x-ndjson' }
    const { status } = await transport({ url, headers, body: lines, timeoutMs: TIMEOUT_MS })
    if (!isSuccess(status)) throw new Error(`The receiver answered ${status}.`)
  },
  async append(folder, file, lines) {
    if (root === undefined) throw new Error('Petri was started without PETRI_ETL_FOLDER.')
    await mkdir(join(root, folder), { recursive: true })
    await appendFile(join(root, folder, file), lines)
  },
})
