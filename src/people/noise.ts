import { mix, type Random } from '../kernel/random.ts'

/** Random numbers in [0, 1) by ordinal, from one hash of the key. */
export type Noise = (ordinal: number) => number

export function noiseOf(random: Random, key: string): Noise {
  const start = Math.floor(random.noise(key) * 2 ** 32)
  return (ordinal) => mix((start + Math.imul(ordinal + 1, 0x9e3779b1)) | 0) / 2 ** 32
}

/** A course between -1 and 1 that passes through a draw at each whole position. */
export function courseAt(noise: Noise, position: number): number {
  const before = Math.floor(position)
  const share = (1 - Math.cos(Math.PI * (position - before))) / 2
  return 2 * (noise(before) * (1 - share) + noise(before + 1) * share) - 1
}

export const between = (chance: number, low: number, high: number): number => low + chance * (high - low)

export const wholeBetween = (chance: number, low: number, high: number): number =>
  low + Math.floor(chance * (high - low + 1))

export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}
