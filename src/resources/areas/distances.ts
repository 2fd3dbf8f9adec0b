import type { Point } from '../catalogue/service.ts'

const EARTH_MILES = 3958.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Distance in whole miles. */
export function milesBetween(a: Point, b: Point): number {
  const [north, east] = [radians(b.lat - a.lat), radians(b.lng - a.lng)]
  const chord =
    Math.sin(north / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(east / 2) ** 2
  return Math.round(2 * EARTH_MILES * Math.asin(Math.sqrt(chord)))
}

/** Degrees between neighbouring ZIP codes of one prefix; all hundred are within about ten miles. */
const SPREAD = 0.012

/** Offset of a ZIP code from the centre of its prefix, from its last two digits. */
export const spread = ({ lat, lng }: Point, zip: string): Point => ({
  lat: lat + (Number(zip[3]) - 4.5) * SPREAD,
  lng: lng + (Number(zip[4]) - 4.5) * SPREAD,
})
