import * as z from 'zod'
import pregnancy from '../../../seeds/people/pregnancy.json' with { type: 'json' }
import { bundledTable } from '../../kernel/seed-table.ts'
import type { LabEffect } from '../../people/conditions.ts'
import { inPregnancy, isWithoutPeriods, type Life, trimesters } from '../../people/life.ts'

/**
 * The multiples of what is drawn in a pregnancy: the middles of the ranges in Abbassi-Ghanavati and others, "Pregnancy and
 * laboratory studies", 2009, over those of women who are not pregnant; hemoglobin falls by 1.4 g/dL to the third trimester
 * (7,054 women, Churchill 2019). SHBG: Wilke and Utley 1987; testosterone: O'Leary 1991.
 */
const multiples = bundledTable('people/pregnancy.json', pregnancy.multiples, trimesters)

/** By which factors a life changes what is drawn; none outside of a pregnancy and the weeks after it. */
export const multiplesOf = (life: Life): LabEffect[] =>
  isWithoutPeriods(life)
    ? [...multiples].map(([slug, values]) => ({ slug, times: inPregnancy(values, life, 1) }))
    : []

/**
 * Decimal logarithms of hormones. hCG in mIU/mL: the hCG Reference Service; progesterone in ng/mL: Ku 2018; estradiol in
 * pg/mL: Grossi 2018; later those of Abbassi-Ghanavati 2009. How far gonadotropins are suppressed is assumed.
 */
const hormones = bundledTable('people/pregnancy.json', pregnancy.hormones, () =>
  z.strictObject({ usual: z.number(), pregnant: trimesters() }),
)

type Hormone = keyof typeof pregnancy.hormones

/** The level of a hormone in a pregnancy, and in the weeks after it. */
export function placental(hormone: Hormone, life: Life): number {
  const { usual, pregnant } = hormones.get(hormone)
  return 10 ** inPregnancy(pregnant, life, usual)
}
