// Many people with a persona and a wearable, as CSV with a row for each day: node examples/cohort.mjs 4 14 > days.csv
import { startPetri } from 'petri-sandbox'

const [people = 4, days = 14] = process.argv.slice(2).map(Number)
const personas = ['athlete', 'type-2-diabetes', null]
const columns = ['calendar_date', 'steps', 'distance', 'calories_total', 'calories_active']

const petri = await startPetri()
const world = await petri.world({ seed: 'cohort', now: '2026-01-05T00:00:00Z', history: 'none' })
const users = []
for (let nth = 1; nth <= people; nth++) {
  const { user_id, client_user_id } = await world.users.create(`person-${nth}`)
  const persona = personas[nth % personas.length]
  await world.call('PUT', `/_petri/users/${user_id}/persona`, { persona })
  await world.call('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' })
  users.push({ user_id, client_user_id, persona })
}
await world.clock.advance(`${days}d`)

const today = (await world.clock.now()).toISOString().slice(0, 10)
const range = `start_date=2026-01-05&end_date=${today}`
console.log(['client_user_id', 'persona', ...columns].join())
for (const { user_id, client_user_id, persona } of users) {
  const { activity } = await world.call('GET', `/v2/summary/activity/${user_id}?${range}`)
  for (const day of activity)
    console.log([client_user_id, persona ?? '', ...columns.map((column) => day[column])].join())
}
await petri.close()
