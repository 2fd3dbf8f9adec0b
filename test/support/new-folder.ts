import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a folder of its own for what a test writes; all are removed after the last test. */
export const makeFolder = (prefix: string): string => mkdtempSync(join(tmpdir(), prefix))
