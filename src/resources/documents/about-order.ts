import type { World } from '../../world/world.ts'
import type { LabSeed } from '../catalogue/schema.ts'
import type { OrderRow } from '../orders/table.ts'
import { printable } from './text.ts'

/** `2026-01-05 09:00 UTC`. */
export const moment = (instant: string | null | undefined): string | null =>
  instant ? `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC` : null

export const labOf = (world: World, order: OrderRow): LabSeed | undefined =>
  order.lab_test.lab ? world.parts.catalogue.labs().get(order.lab_test.lab.slug) : undefined

/** The address and registration of a laboratory, for its documents. */
export const letterheadOf = (lab: LabSeed | undefined): string[] =>
  lab
    ? [`${lab.first_line_address}, ${lab.city}, ${lab.state} ${lab.zipcode}`, `CLIA ${lab.clia_number}`]
    : []

/** `EXAMPLE, ADA`, as on specimen labels. */
export function surnameFirst({ patient_details: patient }: OrderRow): string {
  const names = [patient?.last_name, patient?.first_name].filter(Boolean)
  return printable(names.join(', ')).toUpperCase()
}

export const patientName = ({ patient_details: patient }: OrderRow): string =>
  [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')

export const physicianName = ({ physician }: OrderRow): string | null =>
  physician && `${physician.first_name} ${physician.last_name}`

/** `on_site_collection` → `On site collection`. */
export const inWords = (code: string): string => {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An address, one part per line. */
export function addressLines({ patient_address: address }: OrderRow): string | null {
  if (!address) return null
  const { first_line, second_line, city, state, zip } = address
  return [first_line, second_line, `${city}, ${state} ${zip}`].filter(Boolean).join(', ')
}

/** When an order first reached a status; wire instant. */
export const reachedAt = ({ events }: OrderRow, low: string): string | undefined =>
  events.find(({ status }) => status.endsWith(`.${low}`))?.created_at
