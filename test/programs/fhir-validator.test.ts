import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../support/new-folder.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { isInstalled } from '../support/tools.ts'

/** HL7's validator, validator_cli.jar; it reads the definitions of R4 from its cache or its own server. */
const validator = process.env.FHIR_VALIDATOR

const folder = makeFolder('petri-fhir-')

/** Runs HL7's validator without a terminology server. Returns what it printed, and whether it found no error. */
const validate = (files: readonly string[]) =>
  new Promise<{ readonly isValid: boolean; readonly output: string }>((resolve) => {
    const args = ['-jar', validator ?? '', ...files, '-version', '4.0.1', '-tx', 'n/a']
    execFile('java', args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ isValid: error === null, output: stdout + stderr }),
    )
  })

/** The bundles of an order at each status with a report, as files. */
async function bundlesOf(petri: TestPetri, scenario: string): Promise<string[]> {
  const { id } = (await petri.post('/_petri/orders', { scenario })).body
  const files = new Map<string, string>()
  for (let day = 0; day < 30; day++) {
    await petri.post('/_petri/clock/advance', { by: '1d' })
    const { status, body } = await petri.get(`/v3/order/${id}/result/fhir`)
    const reached = (await petri.read(`/v3/order/${id}`)).last_event.status
    if (status !== 200 || files.has(reached)) continue
    files.set(reached, join(folder, `${scenario}.${reached}.${files.size}.json`))
    writeFileSync(files.get(reached) ?? '', JSON.stringify(body))
  }
  return [...files.values()]
}

it("HL7's validator finds no error in reports that are partial, final and corrected", {
  timeout: 600_000,
}, async ({ skip }) => {
  if (!isInstalled('java')) return skip('java is not installed here')
  if (validator === undefined) return skip('FHIR_VALIDATOR names no validator_cli.jar')
  const petri = await startTestWorld()
  const files = [
    ...(await bundlesOf(petri, 'walk-in-partial-results')),
    ...(await bundlesOf(petri, 'walk-in-corrected-result')),
  ]
  const reached = files.map((file) => /(\w+)\.\d\.json$/.exec(file)?.[1])
  expect(reached).toEqual(['partial_results', 'completed', 'completed', 'corrected'])
  const { isValid, output } = await validate(files)
  expect(isValid, output).toBe(true)
})
