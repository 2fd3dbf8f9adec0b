interface AgeBand {
  readonly sex?: 'male' | 'female'
  /** Youngest and oldest age in years, both included. */
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

const OLDEST = 130
/** The age from which women are counted as past menopause. */
const MENOPAUSE = 52

const all = (from: number, to: number, low: number, high: number): AgeBand => ({ from, to, low, high })
const male = (from: number, to: number, low: number, high: number): AgeBand => ({
  ...all(from, to, low, high),
  sex: 'male',
})
const female = (from: number, to: number, low: number, high: number): AgeBand => ({
  ...all(from, to, low, high),
  sex: 'female',
})

/** Reference ranges by age where they differ from adults; common US laboratory values, rounded. */
export const ageBands: Readonly<Record<string, readonly AgeBand[]>> = {
  'cholesterol-total': [all(0, 19, 100, 169)],
  'ldl-cholesterol-calc': [all(0, 19, 0, 109)],
  'ldl-cholesterol-direct': [all(0, 19, 0, 109)],
  'non-hdl-cholesterol': [all(0, 19, 0, 119)],
  triglycerides: [all(0, 9, 0, 74), all(10, 19, 0, 89)],
  bun: [all(0, 17, 5, 18)],
  creatinine: [
    all(0, 4, 0.19, 0.42),
    all(5, 11, 0.3, 0.7),
    male(12, 17, 0.49, 0.9),
    female(12, 17, 0.45, 0.83),
  ],
  'bun-creatinine-ratio': [all(0, 11, 14, 50), all(12, 17, 10, 32)],
  'alkaline-phosphatase': [all(0, 12, 140, 400), all(13, 17, 60, 350)],
  ast: [all(0, 6, 0, 60)],
  phosphorus: [all(0, 12, 3.9, 5.7), all(13, 17, 3.2, 5.2)],
  'uric-acid': [all(0, 11, 1.9, 5)],
  wbc: [all(0, 5, 4.3, 14.3), all(6, 17, 3.7, 11.5)],
  hemoglobin: [all(0, 5, 10.9, 14.8), all(6, 12, 11.1, 15.7)],
  hematocrit: [all(0, 5, 32.4, 43.3), all(6, 12, 34.8, 45.8)],
  rbc: [all(0, 12, 3.96, 5.3)],
  mcv: [all(0, 12, 75, 91)],
  mch: [all(0, 12, 24.8, 31.5)],
  'lymphocytes-absolute': [all(0, 5, 1.6, 5.9), all(6, 12, 1.3, 3.7)],
  tsh: [all(0, 12, 0.6, 4.84)],
  't3-total': [all(0, 12, 92, 219)],
  't3-free': [all(0, 12, 2.7, 5.2)],
  'testosterone-total': [
    all(0, 9, 0, 10),
    male(10, 12, 0, 60),
    male(13, 17, 100, 800),
    female(10, 17, 3, 45),
    female(MENOPAUSE, OLDEST, 4, 50),
  ],
  'testosterone-free': [all(0, 12, 0, 2.5), male(13, 17, 2, 22)],
  shbg: [all(0, 12, 36, 156)],
  estradiol: [
    all(0, 9, 0, 14.9),
    male(10, 17, 0, 26),
    female(10, 17, 6, 150),
    female(MENOPAUSE, OLDEST, 0, 34.9),
  ],
  progesterone: [all(0, 12, 0, 0.6), female(MENOPAUSE, OLDEST, 0, 0.4)],
  fsh: [all(0, 9, 0.3, 4.6), all(10, 17, 0.6, 9.8), female(MENOPAUSE, OLDEST, 25.8, 134.8)],
  lh: [all(0, 9, 0, 0.6), all(10, 17, 0.3, 9.2), female(MENOPAUSE, OLDEST, 14.2, 58.5)],
  prolactin: [all(0, 12, 2, 13), female(MENOPAUSE, OLDEST, 3.6, 25.2)],
  '17-oh-progesterone': [all(0, 12, 0, 90), female(MENOPAUSE, OLDEST, 0, 51)],
  amh: [
    female(0, 17, 0.3, 8),
    female(18, 35, 1, 10),
    female(36, 45, 0.2, 6),
    female(46, OLDEST, 0, 0.5),
    male(0, 12, 20, 190),
    male(13, OLDEST, 0.7, 19),
  ],
  'dhea-sulfate': [
    all(0, 5, 0, 50),
    all(6, 11, 8, 130),
    male(45, 64, 60, 360),
    male(65, OLDEST, 25, 280),
    female(45, 64, 30, 240),
    female(65, OLDEST, 15, 180),
  ],
  'igf-1': [
    all(0, 5, 25, 190),
    all(6, 11, 60, 350),
    all(12, 17, 180, 540),
    all(51, 70, 60, 220),
    all(71, OLDEST, 45, 190),
  ],
  'psa-total': [male(0, 12, 0, 0.1), male(13, 39, 0, 2), male(40, 49, 0, 2.5), male(70, OLDEST, 0, 6.5)],
  ferritin: [
    all(0, 12, 12, 64),
    male(13, 17, 16, 124),
    female(13, 17, 15, 77),
    female(MENOPAUSE, OLDEST, 15, 204),
  ],
  iron: [all(0, 12, 28, 147)],
  'sed-rate': [male(0, 49, 0, 15), female(0, 49, 0, 32)],
}
