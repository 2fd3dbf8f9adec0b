import { createRandom } from '../../src/kernel/random.ts'
import { dayOf } from '../../src/people/day.ts'
import { ageOn, makePerson } from '../../src/people/person.ts'

const [WIDTH, HEIGHT, COLUMNS] = [320, 150, 2]
const [LOWEST, HIGHEST] = [40, 170]
const EVERY_MINUTES = 6
const DATE = '2026-03-10'
const ZONE = 'America/New_York'

/** Six people on one day, as an SVG: heart rate by the hour, and the hours of sleep. */
export function drawPeople(): string {
  const random = createRandom('six people')
  const panels = Array.from({ length: 6 }, (_, nth) => {
    const person = makePerson(random, `person-${nth}`, {})
    const title = `${person.sex === 'female' ? 'Woman' : 'Man'}, ${Math.floor(ageOn(person, DATE))}`
    const [x, y] = [(nth % COLUMNS) * WIDTH, Math.floor(nth / COLUMNS) * HEIGHT]
    return `<g transform="translate(${x} ${y})">${panelOf(title, dayOf(person, ZONE, DATE, 'fitbit'))}</g>`
  })
  const size = `${WIDTH * COLUMNS} ${HEIGHT * Math.ceil(panels.length / COLUMNS)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" font-family="sans-serif" font-size="10">`,
    '<title>Six people: the heart rate of a day, with sleep in grey</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...panels,
    '</svg>\n',
  ].join('\n')
}

const LEFT = 28
const TOP = 20
const PLOT = { width: WIDTH - LEFT - 12, height: HEIGHT - TOP - 22 } as const

function panelOf(title: string, { minutes }: ReturnType<typeof dayOf>): string {
  const xOf = (minute: number) => (LEFT + (PLOT.width * minute) / minutes.count).toFixed(0)
  const yOf = (beats: number) => (TOP + (PLOT.height * (HIGHEST - beats)) / (HIGHEST - LOWEST)).toFixed(0)
  const heart = minutes.heart()
  const points: string[] = []
  const asleep: string[] = []
  for (let minute = 0; minute < minutes.count; minute += EVERY_MINUTES) {
    points.push(`${xOf(minute)},${yOf(heart[minute] ?? LOWEST)}`)
    if (minutes.stage[minute]) asleep.push(`M${xOf(minute)} ${TOP}v${PLOT.height}`)
  }
  return [
    `<text x="${LEFT}" y="13" font-weight="bold">${title}</text>`,
    `<path d="${asleep.join('')}" stroke="#d9dde3" stroke-width="${Math.ceil((PLOT.width * EVERY_MINUTES) / 1440) + 1}"/>`,
    ...[50, 100, 150].map((beats) => `<text x="4" y="${Number(yOf(beats)) + 3}" fill="#667">${beats}</text>`),
    ...[0, 6, 12, 18].map(
      (hour) => `<text x="${xOf(hour * 60)}" y="${HEIGHT - 8}" fill="#667">${hour}:00</text>`,
    ),
    `<polyline points="${points.join(' ')}" fill="none" stroke="#b3243b" stroke-width="1"/>`,
  ].join('\n')
}
