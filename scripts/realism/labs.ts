import { type Known, type Size, withPeople } from './people.ts'
import {
  findMarkers,
  flagged,
  type Interpretation,
  type Line,
  men,
  pairs,
  placeOrder,
  type Report,
  readReport,
  reportOf,
  share,
  values,
  women,
} from './reports.ts'
import { type Row, type Section, section } from './section.ts'
import {
  deviation,
  geometricMean,
  lagOne,
  largest,
  mean,
  median,
  type Pair,
  rho,
  share as shareOf,
  shareOfMostFrequent,
  slope,
  smallest,
} from './statistics.ts'

/** One report of each person. */
const reportsOf =
  (interpretation?: Interpretation) =>
  ({ people: count }: Size): Promise<Report[]> =>
    withPeople(count, 0, async ({ petri, people }) => {
      const markers = await findMarkers(petri)
      const reports: Report[] = []
      for (const person of people) reports.push(await reportOf(petri, person, markers, interpretation))
      return reports
    })

const portionOf = ({ people }: Size, portion: number) => Math.max(2, Math.round(people * portion))

const glycemia =
  'Spearman .46 in a general population (New Hoorn study, 2010); Pearson .68 in men, .80 in women (14,249 people, 2018)'
const assumed = 'assumed'
const nhanes = 'NHANES 2017–18'
const phoning = 'a survey of medical centers in the United States (1990); University of Iowa'

/** Without a chosen interpretation: what a laboratory finds in a population of adults. */
// biome-ignore format: a table is read by its columns.
const natural: readonly Row<readonly Report[]>[] = [
  { name: 'total cholesterol, mean mg/dL', low: 178, high: 202, source: '190.9 (NHANES 2013–16)', measure: (all) => mean(values(all, 'cholesterol-total')) },
  { name: 'total cholesterol, sd', low: 32, high: 48, source: `41 (${nhanes})`, measure: (all) => deviation(values(all, 'cholesterol-total')) },
  { name: 'total cholesterol ≥ 240, share', low: 0.08, high: 0.18, source: '12.8 % (NHANES 2009–12)', measure: (all) => share(all, 'cholesterol-total', (value) => value >= 240) },
  { name: 'HDL < 40, share', low: 0.13, high: 0.26, source: '19.6 % (NHANES 2009–12)', measure: (all) => share(all, 'hdl-cholesterol', (value) => value < 40) },
  { name: 'HDL, mean mg/dL', low: 50, high: 58, source: `53.6 (${nhanes})`, measure: (all) => mean(values(all, 'hdl-cholesterol')) },
  { name: 'LDL, mean mg/dL', low: 103, high: 120, source: '111 (NHANES 2013–14)', measure: (all) => mean(values(all, 'ldl-cholesterol-calc')) },
  { name: 'triglycerides, geometric mean mg/dL', low: 85, high: 118, source: '97 (NHANES 2013–14)', measure: (all) => geometricMean(values(all, 'triglycerides')) },
  { name: 'A1c, mean %', low: 5.5, high: 5.9, source: `5.69 (${nhanes})`, measure: (all) => mean(values(all, 'hemoglobin-a1c')) },
  { name: 'A1c, sd', low: 0.5, high: 1.2, source: `.93 (${nhanes}); .5 in untreated people (KNHANES 2011)`, measure: (all) => deviation(values(all, 'hemoglobin-a1c')) },
  { name: 'A1c ≥ 6.5, share', low: 0.06, high: 0.16, source: 'diabetes 15.8 % (NHANES 2021–23), some of it treated below 6.5', measure: (all) => share(all, 'hemoglobin-a1c', (value) => value >= 6.5) },
  { name: 'glucose, mean mg/dL', low: 97, high: 112, source: `100, fasting 110 (${nhanes})`, measure: (all) => mean(values(all, 'glucose')) },
  { name: 'rho glucose ~ age', low: 0.15, high: 0.5, source: `.34 (${nhanes})`, measure: (all) => rho(byAge(all, 'glucose')) },
  { name: 'eGFR < 60, share', low: 0.03, high: 0.11, source: `6.0 % (${nhanes}); 7.4 % (NHANES 2011–14)`, measure: (all) => share(all, 'egfr', (value) => value < 60) },
  { name: 'albumin/creatinine ratio ≥ 30, share', low: 0.05, high: 0.15, source: '9.5 % (NHANES 2011–14)', measure: (all) => share(all, 'albumin-creatinine-ratio', (value) => value >= 30) },
  { name: 'eGFR < 60 or albumin/creatinine ratio ≥ 30, share', low: 0.09, high: 0.2, source: '14 % (CDC 2023)', measure: (all) => shareOf(all, hasKidneyDisease) },
  { name: 'vitamin D, mean ng/mL', low: 20, high: 31, source: '21.9, sd 9.2 (NHANES 2001–06); medians of 21–30 by age (NHANES)', measure: (all) => mean(values(all, 'vitamin-d-25-hydroxy')) },
  { name: 'vitamin D < 20, share', low: 0.15, high: 0.36, source: '33 % (NHANES 2001–06); 23 % (NHANES 2011–14)', measure: (all) => share(all, 'vitamin-d-25-hydroxy', (value) => value < 20) },
  { name: 'hs-CRP, median mg/L', low: 1.3, high: 2.4, source: '2.1 (NHANES 1999–2002); 1.3–2.7 by sex and age (NHANES 2017–20)', measure: (all) => median(values(all, 'crp-high-sensitivity')) },
  { name: 'hs-CRP > 3, share', low: 0.22, high: 0.4, source: '32 % (NHANES 2007–10)', measure: (all) => share(all, 'crp-high-sensitivity', (value) => value > 3) },
  { name: 'hs-CRP > 10, share', low: 0.03, high: 0.11, source: `7.3 % (${nhanes})`, measure: (all) => share(all, 'crp-high-sensitivity', (value) => value > 10) },
  { name: 'ferritin of women 20–49, median ng/mL', low: 26, high: 55, source: '34–47 by age (NHANES 1999–2023)', measure: (all) => median(values(women(all, 20, 49), 'ferritin')) },
  { name: 'ferritin < 15, share of women 20–49', low: 0.06, high: 0.2, source: '17 % at 30 and 40 (1,359 Danish women); 5th percentile 6 ng/mL (NHANES 1999–2002)', measure: (all) => share(women(all, 20, 49), 'ferritin', (value) => value < 15) },
  { name: 'testosterone of men, change by year of age in %', low: -1.2, high: -0.05, source: '−.3 (NHANES 2011–23); −.8 (Feldman 2002)', measure: (all) => 100 * slope(logByAge(men(all), 'testosterone-total')) },
  { name: 'LH of women 20–39, median IU/L', low: 4, high: 7.5, source: '6.7 (NHANES 1999–2023)', measure: (all) => median(values(women(all, 20, 39), 'lh')) },
  { name: 'PSA of men 20–39, median ng/mL', low: 0.35, high: 0.75, source: '.72 (660 Irish men, 2012)', measure: (all) => median(values(men(all, 20, 39), 'psa-total')) },
  { name: 'PSA of men 40–59, median ng/mL', low: 0.55, high: 1.05, source: '.7–1 (NHANES 2001–10); .73–1.01 (660 Irish men, 2012)', measure: (all) => median(values(men(all, 40, 59), 'psa-total')) },
  { name: 'PSA of men 60–79, median ng/mL', low: 1, high: 2, source: '1.2–2.1 (NHANES 2001–10)', measure: (all) => median(values(men(all, 60, 79), 'psa-total')) },
  { name: 'free PSA of men, median %', low: 18, high: 32, source: '25.3 (Massachusetts Male Aging Study, 1999); 26–30 (NHANES 2001–10)', measure: (all) => median(values(men(all), 'psa-free-percent')) },
  { name: 'creatinine, men − women, mg/dL', low: 0.14, high: 0.32, source: `.24 (${nhanes})`, measure: (all) => mean(values(men(all), 'creatinine')) - mean(values(women(all), 'creatinine')) },
  { name: 'hemoglobin, men − women, g/dL', low: 1, high: 2.1, source: `1.6 (${nhanes})`, measure: (all) => mean(values(men(all), 'hemoglobin')) - mean(values(women(all), 'hemoglobin')) },
  { name: 'ALT, median U/L', low: 16, high: 28, source: `18 (${nhanes})`, measure: (all) => median(values(all, 'alt')) },
  { name: 'TSH, median mIU/L', low: 1.2, high: 2.2, source: '1.3–2 by age (NHANES 2007–12)', measure: (all) => median(values(all, 'tsh')) },
  { name: 'sodium, mean mmol/L', low: 138, high: 141.5, source: `140.2 (${nhanes})`, measure: (all) => mean(values(all, 'sodium')) },
  { name: 'potassium, mean mmol/L', low: 4, high: 4.5, source: `4.1 (${nhanes})`, measure: (all) => mean(values(all, 'potassium')) },
  { name: 'calcium, mean mg/dL', low: 9.2, high: 9.7, source: `9.3 (${nhanes})`, measure: (all) => mean(values(all, 'calcium')) },
  { name: 'albumin, mean g/dL', low: 4, high: 4.6, source: `4.1 (${nhanes}); medians of 4.1–4.5 by sex and age (NHANES 1999–2023)`, measure: (all) => mean(values(all, 'albumin')) },
  { name: 'uric acid, men − women, mg/dL', low: 0.8, high: 1.8, source: `1.3 (${nhanes})`, measure: (all) => mean(values(men(all), 'uric-acid')) - mean(values(women(all), 'uric-acid')) },
  { name: 'white cells, mean 10³/µL', low: 5.8, high: 8, source: `7.4 (${nhanes})`, measure: (all) => mean(values(all, 'wbc')) },
  { name: 'rho glucose ~ A1c', low: 0.45, high: 0.85, source: glycemia, measure: (all) => rho(pairs(all, 'glucose', 'hemoglobin-a1c')) },
  { name: 'rho AST ~ ALT', low: 0.5, high: 0.85, source: `.75 (${nhanes})`, measure: (all) => rho(pairs(all, 'ast', 'alt')) },
  { name: 'rho ALT ~ GGT', low: 0.35, high: 0.7, source: `.56 (${nhanes})`, measure: (all) => rho(pairs(all, 'alt', 'ggt')) },
  { name: 'rho ALT ~ triglycerides, men', low: 0.18, high: 0.55, source: '.36 (2008)', measure: (all) => rho(pairs(men(all), 'alt', 'triglycerides')) },
  { name: 'rho ALT ~ triglycerides, women', low: 0.1, high: 0.48, source: '.28 (2008)', measure: (all) => rho(pairs(women(all), 'alt', 'triglycerides')) },
  { name: 'rho HDL ~ triglycerides', low: -0.62, high: -0.3, source: `−.52 (${nhanes}); −.43 in men, −.44 in women (2,392 people, 2009)`, measure: (all) => rho(pairs(all, 'hdl-cholesterol', 'triglycerides')) },
  { name: 'rho TSH ~ free T4', low: -0.4, high: -0.05, source: '−.15 (1,724 people, 2020)', measure: (all) => rho(pairs(all, 'tsh', 't4-free')) },
  { name: 'rho free T4 ~ T4', low: 0.45, high: 0.88, source: assumed, measure: (all) => rho(pairs(all, 't4-free', 't4-total')) },
  { name: 'rho insulin ~ C-peptide', low: 0.45, high: 0.85, source: 'Pearson .48–.68 along a glucose tolerance test (255 people, Guildford 2020)', measure: (all) => rho(pairs(all, 'insulin', 'c-peptide')) },
  { name: 'rho calcium ~ albumin', low: 0.3, high: 0.7, source: `.50 (${nhanes})`, measure: (all) => rho(pairs(all, 'calcium', 'albumin')) },
  { name: 'rho ferritin ~ TIBC', low: -0.65, high: -0.2, source: '−.08 in men without deficiency (441 people, 2025), more with it; the size is assumed', measure: (all) => rho(pairs(all, 'ferritin', 'tibc')) },
  { name: 'rho vitamin B12 ~ methylmalonic acid', low: -0.5, high: -0.12, source: 'about −.3: 28.5 % higher in the lowest quarter of B12 than in the highest (NHANES 1999–2004)', measure: (all) => rho(pairs(all, 'vitamin-b12', 'methylmalonic-acid')) },
  { name: 'rho CRP ~ sedimentation rate', low: 0.2, high: 0.65, source: 'Pearson .52 (76 patients, 2015)', measure: (all) => rho(pairs(all, 'c-reactive-protein', 'sed-rate')) },
  { name: 'rho testosterone ~ SHBG, men', low: 0.28, high: 0.7, source: '.6 (3,645 men from 70, Health in Men Study); .71 (patients, 2020)', measure: (all) => rho(pairs(men(all), 'testosterone-total', 'shbg')) },
  { name: 'anion gap, sd mmol/L', low: 1.4, high: 3, source: `2.4 (${nhanes})`, measure: (all) => deviation(all.flatMap(anionGap)) },
  { name: 'anion gap, smallest', low: 2, source: `98 % within 8–20, with a mean of 13.6 (${nhanes})`, measure: (all) => smallest(all.flatMap(anionGap)) },
  { name: 'anion gap, largest', high: 18, source: `98 % within 8–20, with a mean of 13.6 (${nhanes})`, measure: (all) => largest(all.flatMap(anionGap)) },
  { name: 'eGFR < 30, share', high: 0.012, source: '.35 % (NHANES 1999–2004)', measure: (all) => share(all, 'egfr', (value) => value < 30) },
  { name: 'hs-CRP > 100, share', high: 0.006, source: `about .1 % (${assumed})`, measure: (all) => share(all, 'crp-high-sensitivity', (value) => value > 100) },
  { name: 'ALT > 100, share', high: 0.022, source: `about 1 % (${assumed})`, measure: (all) => share(all, 'alt', (value) => value > 100) },
  { name: 'GGT > 200, share', high: 0.018, source: `about 1 % (${assumed})`, measure: (all) => share(all, 'ggt', (value) => value > 200) },
  { name: 'hemoglobin < 10, share', high: 0.018, source: `about 1 % (${assumed})`, measure: (all) => share(all, 'hemoglobin', (value) => value < 10) },
  { name: 'white cells > 15, share', high: 0.01, source: `below .5 % (${assumed})`, measure: (all) => share(all, 'wbc', (value) => value > 15) },
  { name: 'LDL ≥ 190, share', low: 0.015, high: 0.065, source: `4–5 % (${assumed})`, measure: (all) => share(all, 'ldl-cholesterol-calc', (value) => value >= 190) },
  { name: 'LDL ≥ 250, share', high: 0.01, source: `.3 % (${assumed})`, measure: (all) => share(all, 'ldl-cholesterol-calc', (value) => value >= 250) },
  { name: 'vitamin D < 10, share', low: 0.003, high: 0.05, source: `3–5 % (${assumed})`, measure: (all) => share(all, 'vitamin-d-25-hydroxy', (value) => value < 10) },
  { name: 'reports with any of these severe values, share', low: 0.02, high: 0.06, source: `3–5 % (${assumed})`, measure: (all) => shareOf(all, isSevere) },
  { name: 'lipoprotein(a) ≥ 125 nmol/L, share', low: 0.12, high: 0.26, source: 'about 20 %; above 50 mg/dL in 24 % (531,144 people)', measure: (all) => share(all, 'lipoprotein-a', (value) => value >= 125) },
  { name: 'rho CRP ~ albumin', low: -0.45, high: -0.12, source: `−.3 (${assumed})`, measure: (all) => rho(pairs(all, 'crp-high-sensitivity', 'albumin')) },
  { name: 'rho homocysteine ~ eGFR', low: -0.55, high: -0.2, source: `−.4 (${assumed})`, measure: (all) => rho(pairs(all, 'homocysteine', 'egfr')) },
  { name: 'rho LDL ~ TSH', low: 0.01, high: 0.3, source: `.2 (${assumed})`, measure: (all) => rho(pairs(all, 'ldl-cholesterol-calc', 'tsh')) },
  { name: 'rho DHEA-S ~ age', low: -0.75, high: -0.45, source: `−.6 (${assumed})`, measure: (all) => rho(byAge(all, 'dhea-sulfate')) },
  { name: 'rho IGF-1 ~ age', low: -0.75, high: -0.4, source: `−.6 (${assumed})`, measure: (all) => rho(byAge(all, 'igf-1')) },
  { name: 'rho free testosterone share ~ SHBG, men', high: -0.4, source: 'follows from the equation of Vermeulen, 1999', measure: (all) => rho(freeShares(men(all))) },
  { name: 'results beyond what is measured, share', low: 0.001, high: 0.1, source: 'measuring ranges of methods', measure: (all) => shareOf(all.flatMap(({ lines }) => [...lines.values()]), ({ type }) => type === 'range') },
  ...sums(),
]

/** Values of the intensive ward, which few people who walk in have. */
const isSevere = ({ lines }: Report): boolean =>
  severeValues.some(([slug, side, limit]) => {
    const value = lines.get(slug)?.value
    return value !== undefined && (side === 'above' ? value > limit : value < limit)
  })

const severeValues = [
  ['egfr', 'below', 30],
  ['crp-high-sensitivity', 'above', 100],
  ['alt', 'above', 100],
  ['ggt', 'above', 200],
  ['hemoglobin', 'below', 10],
  ['wbc', 'above', 15],
  ['ldl-cholesterol-calc', 'above', 249],
  ['vitamin-d-25-hydroxy', 'below', 10],
] as const

/** The free share of testosterone beside SHBG. */
const freeShares = (all: readonly Report[]): Pair[] =>
  all.flatMap(({ lines }): Pair[] => {
    const [free, total, shbg] = ['testosterone-free', 'testosterone-total', 'shbg'].map(
      (slug) => lines.get(slug)?.value,
    )
    return free && total && shbg ? [[free / total, shbg]] : []
  })

/** Chosen as normal: healthy adults, but not only those in the middle of the range. */
// biome-ignore format: a table is read by its columns.
const normal: readonly Row<readonly Report[]>[] = [
  { name: 'normal: total cholesterol, mean mg/dL', low: 152, high: 190, source: '190.9 of all adults (NHANES 2013–16)', measure: (all) => mean(values(all, 'cholesterol-total')) },
  { name: 'normal: total cholesterol, sd', low: 14, high: 40, source: 'not cut to the middle of the range', measure: (all) => deviation(values(all, 'cholesterol-total')) },
  { name: 'normal: LDL, mean mg/dL', low: 78, high: 100, source: '111 of all adults (NHANES 2013–14)', measure: (all) => mean(values(all, 'ldl-cholesterol-calc')) },
  { name: 'normal: lines out of range by report, mean', high: 0, source: 'what the word says', measure: (all) => mean(all.map((report) => flagged(report).length)) },
  { name: 'normal: rho AST ~ ALT', low: 0.4, high: 0.85, source: `.75 of all adults (${nhanes})`, measure: (all) => rho(pairs(all, 'ast', 'alt')) },
  { name: 'normal: anion gap, sd mmol/L', low: 1.2, high: 3, source: `2.4 of all adults (${nhanes})`, measure: (all) => deviation(all.flatMap(anionGap)) },
]

interface Severe {
  readonly abnormal: readonly Report[]
  readonly critical: readonly Report[]
}

async function collectSevere(size: Size): Promise<Severe> {
  const abnormal = await reportsOf('abnormal')(size)
  return { abnormal, critical: await reportsOf('critical')(size) }
}

/**
 * The values that laboratories phone. The means of a survey of medical centers in the United States (1990) are
 * potassium 2.8 and 6.2, sodium 120 and 158, glucose 47 and 484, calcium 6.6 and 12.9, hemoglobin 6.6 and 19.9,
 * hematocrit 18 and 61, white cells 2 and 37, creatinine 7.4, urea nitrogen 104, bilirubin 15, bicarbonate 11 and 40. The
 * others are assumed.
 */
const phoned: Readonly<Record<string, readonly [below: number, above: number]>> = {
  potassium: [2.8, 6.2],
  sodium: [120, 160],
  glucose: [40, 450],
  hemoglobin: [7, 20],
  platelets: [20, 1000],
  calcium: [6.5, 13],
  wbc: [2, 30],
  hematocrit: [20, 60],
  'neutrophils-absolute': [0.5, Infinity],
  'carbon-dioxide-total': [10, 40],
  creatinine: [-Infinity, 7.5],
  bun: [-Infinity, 100],
  'bilirubin-total': [-Infinity, 15],
}

// biome-ignore format: a table is read by its columns.
const severe: readonly Row<Severe>[] = [
  { name: 'abnormal: reports with a line out of range, share', low: 1, source: 'what the word says', measure: ({ abnormal }) => shareOf(abnormal, (report) => flagged(report).length > 0) },
  { name: 'critical: reports with a critical line, share', low: 1, source: 'what the word says', measure: ({ critical }) => shareOf(critical, (report) => criticalLines(report).length > 0) },
  { name: 'critical: lines of analytes that nobody phones, share', high: 0, source: phoning, measure: ({ critical }) => shareOf(critical.flatMap(criticalLines), ([slug]) => !Object.hasOwn(phoned, slug)) },
  { name: 'critical: lines beyond the values that are phoned, share', low: 0.95, source: phoning, measure: ({ critical }) => shareOf(critical.flatMap(criticalLines), isPhoned) },
  { name: 'critical: largest share of one value of an analyte', high: 0.35, source: 'a degree, not a constant', measure: ({ critical }) => mostConstant(critical.flatMap(criticalLines)) },
  { name: 'abnormal: largest share of one value of a flagged analyte', high: 0.35, source: 'a degree, not a constant', measure: ({ abnormal }) => mostConstant(abnormal.flatMap(flagged)) },
  { name: 'impossible: anion gap below 0 or above 40, reports', high: 0, source: assumed, measure: countOfBoth((report) => anionGap(report).some((gap) => gap < 0 || gap > 40)) },
  { name: 'impossible: AST > 500 with ALT < 60, reports', high: 0, source: assumed, measure: countOfBoth((report) => over(report, 'ast', 500) && under(report, 'alt', 60)) },
  { name: 'impossible: creatinine > 6 with BUN < 25, reports', high: 0, source: assumed, measure: countOfBoth((report) => over(report, 'creatinine', 6) && under(report, 'bun', 25)) },
  { name: 'impossible: glucose > 350 with A1c < 6, reports', high: 0, source: assumed, measure: countOfBoth((report) => over(report, 'glucose', 350) && under(report, 'hemoglobin-a1c', 6)) },
  { name: 'impossible: CRP > 150 with normal neutrophils, reports', high: 0, source: assumed, measure: countOfBoth((report) => over(report, 'c-reactive-protein', 150) && under(report, 'neutrophils-absolute', 7)) },
  { name: 'impossible: hemoglobin < 7 with hematocrit > 30, reports', high: 0, source: assumed, measure: countOfBoth((report) => under(report, 'hemoglobin', 7) && over(report, 'hematocrit', 30)) },
  { name: 'LDL "cannot be calculated" with triglycerides below 800, reports', high: 0, source: 'the range of the equation of Sampson, 2020', measure: countOfBoth(hasLdlContradiction) },
]

function countOfBoth(test: (report: Report) => boolean) {
  return ({ abnormal, critical }: Severe): number => [...abnormal, ...critical].filter(test).length
}

const over = ({ lines }: Report, slug: string, limit: number) => (lines.get(slug)?.value ?? -Infinity) > limit
const under = ({ lines }: Report, slug: string, limit: number) => (lines.get(slug)?.value ?? Infinity) < limit

const criticalLines = ({ lines }: Report) =>
  [...lines].filter(([, { interpretation }]) => interpretation === 'critical')

function isPhoned([slug, { value }]: readonly [string, Line]): boolean {
  const [below, above] = phoned[slug] ?? [-Infinity, Infinity]
  return value <= below || value >= above
}

/** Below it, three lines that happen to be equal would count as a constant. */
const LEAST_LINES = 20

/** The largest share of one value, of the analytes with enough lines. */
function mostConstant(lines: readonly (readonly [slug: string, line: Line])[]): number {
  const bySlug = new Map<string, number[]>()
  for (const [slug, { value }] of lines) bySlug.set(slug, [...(bySlug.get(slug) ?? []), value])
  const often = [...bySlug.values()].filter((numbers) => numbers.length >= LEAST_LINES)
  return largest(often.map(shareOfMostFrequent))
}

function hasLdlContradiction(report: Report): boolean {
  const notes = [...report.lines.values()].map((line) => line.notes ?? '')
  return (
    under(report, 'triglycerides', 800) && notes.some((note) => /cannot be calculated|too high/i.test(note))
  )
}

const hasKidneyDisease = (report: Report): boolean =>
  under(report, 'egfr', 60) || over(report, 'albumin-creatinine-ratio', 29.99)

const byAge = (reports: readonly Report[], slug: string): Pair[] =>
  reports.flatMap(({ person, lines }): Pair[] => {
    const line = lines.get(slug)
    return line ? [[person.age, line.value]] : []
  })

const logByAge = (reports: readonly Report[], slug: string): Pair[] =>
  byAge(reports, slug).map(([age, value]): Pair => [age, Math.log(value)])

/** Sodium less chloride and bicarbonate. */
function anionGap({ lines }: Report): number[] {
  const [sodium, chloride, bicarbonate] = ['sodium', 'chloride', 'carbon-dioxide-total'].map(
    (slug) => lines.get(slug)?.value,
  )
  if (sodium === undefined || chloride === undefined || bicarbonate === undefined) return []
  return [sodium - chloride - bicarbonate]
}

/** What has to add up, and by how much rounding may miss it. */
function sums(): readonly Row<readonly Report[]>[] {
  const furthest = (compute: (value: (slug: string) => number) => number) => (all: readonly Report[]) =>
    largest(all.map(({ lines }) => Math.abs(compute((slug) => lines.get(slug)?.value ?? 0))))
  const source = 'an identity, but for rounding'
  return [
    {
      name: 'total cholesterol − HDL − LDL − VLDL, furthest from 0',
      high: 1,
      source,
      measure: furthest(
        (of) =>
          of('cholesterol-total') -
          of('hdl-cholesterol') -
          of('ldl-cholesterol-calc') -
          of('vldl-cholesterol-calc'),
      ),
    },
    {
      name: 'differential count − 100 %, furthest from 0',
      high: 1,
      source,
      measure: furthest(
        (of) =>
          of('neutrophils') + of('lymphocytes') + of('monocytes') + of('eosinophils') + of('basophils') - 100,
      ),
    },
    {
      name: 'protein − albumin − globulin, furthest from 0',
      high: 0.051,
      source,
      measure: furthest((of) => of('protein-total') - of('albumin') - of('globulin-total')),
    },
    {
      name: 'TIBC − UIBC − iron, furthest from 0',
      high: 1,
      source,
      measure: furthest((of) => of('tibc') - of('uibc') - of('iron')),
    },
    {
      name: 'MCV − hematocrit / red cells, furthest from 0',
      high: 1,
      source,
      measure: furthest((of) => of('mcv') - (of('hematocrit') / of('rbc')) * 10),
    },
  ]
}

const MONTHS = 8

/** Monthly reports of each person. */
const collectRepeats = (size: Size): Promise<Report[][]> =>
  withPeople(portionOf(size, 0.2), 30 * MONTHS, async ({ petri, people }) => {
    const markers = await findMarkers(petri)
    const series: Report[][] = people.map(() => [])
    for (let month = 0; month < MONTHS; month++) {
      for (const [nth, person] of people.entries()) series[nth]?.push(await reportOf(petri, person, markers))
      await petri.clock.advance('30d')
    }
    return series
  })

const biology = 'biological and analytical variation (EFLM database, 2026)'
const repeated = (slug: string, low: number, high: number): Row<Report[][]> => ({
  name: `repeated: ${slug}, CV within a person in %`,
  low,
  high,
  source: biology,
  measure: (series) =>
    median(series.map((reports) => (100 * deviation(values(reports, slug))) / mean(values(reports, slug)))),
})

const repeats: readonly Row<Report[][]>[] = [
  repeated('creatinine', 3, 8),
  repeated('hdl-cholesterol', 4.5, 10),
  repeated('hemoglobin', 1.8, 4.2),
  repeated('tsh', 13, 28),
  repeated('triglycerides', 14, 30),
  repeated('sodium', 0.4, 1.2),
  repeated('hemoglobin-a1c', 0.8, 4),
  repeated('crp-high-sensitivity', 25, 65),
  {
    name: 'repeated: lag-1 autocorrelation by month',
    low: 0.05,
    high: 0.7,
    source: `slow drift and season (${assumed})`,
    measure: (series) =>
      mean(
        driftingAnalytes.map((slug) =>
          mean(series.map((reports) => lagOne(values(reports, slug))).filter(Number.isFinite)),
        ),
      ),
  },
]

const driftingAnalytes = [
  'vitamin-d-25-hydroxy',
  'ldl-cholesterol-calc',
  'hemoglobin',
  'creatinine',
  'ferritin',
  'hemoglobin-a1c',
]

interface Finding {
  readonly found: Report
  readonly later: Report
}

/** Abnormal reports, and those of the same people 90 days later. */
const collectFindings = (size: Size): Promise<Finding[]> =>
  withPeople(portionOf(size, 0.15), 90, async ({ petri, people }) => {
    const markers = await findMarkers(petri)
    const found: Report[] = []
    for (const person of people) found.push(await reportOf(petri, person, markers, 'abnormal'))
    await petri.clock.advance('90d')
    const findings: Finding[] = []
    for (const before of found)
      findings.push({ found: before, later: await reportOf(petri, before.person, markers) })
    return findings
  })

const findings: readonly Row<Finding[]>[] = [
  {
    name: 'a finding is still there 90 days later, share of people',
    low: 0.6,
    source: 'a condition lasts',
    measure: (all) => shareOf(all, isStillThere),
  },
]

function isStillThere({ found, later }: Finding): boolean {
  const before = new Set(flagged(found).map(([slug]) => slug))
  return flagged(later).some(([slug]) => before.has(slug))
}

/** The number of lines that each correction changes. */
const collectCorrections = (size: Size): Promise<number[]> =>
  withPeople(portionOf(size, 0.1), 20, async ({ petri, people }) => {
    const markers = await findMarkers(petri)
    const placed: [Known, string][] = []
    for (const person of people)
      placed.push([person, await placeOrder(petri, person, markers, 'on-site-corrected-result')])
    await petri.clock.advance('4d')
    const before: Report[] = []
    for (const [person, orderId] of placed) before.push(await readReport(petri, person, orderId))
    await petri.clock.advance('10d')
    const changes: number[] = []
    for (const [nth, [person, orderId]] of placed.entries()) {
      const { lines } = await readReport(petri, person, orderId)
      changes.push(
        [...lines].filter(([slug, line]) => line.result !== before[nth]?.lines.get(slug)?.result).length,
      )
    }
    return changes
  })

const corrections: readonly Row<number[]>[] = [
  {
    name: 'a correction changes, median lines',
    low: 1,
    high: 4,
    source: 'one or two, and what is calculated from them',
    measure: median,
  },
  {
    name: 'a correction changes, most lines',
    high: 8,
    source: 'one or two, and what is calculated from them',
    measure: largest,
  },
]

export const labSections: readonly Section[] = [
  section('labs', 'Results without a chosen interpretation', reportsOf(), natural),
  section('labs', 'Normal results', reportsOf('normal'), normal),
  section('labs', 'Abnormal and critical results', collectSevere, severe),
  section('labs', 'Monthly orders of one person', collectRepeats, repeats),
  section('labs', 'Findings', collectFindings, findings),
  section('labs', 'Corrections', collectCorrections, corrections),
]
