/** The views, and the letter that leads there after `g`. */
export const places = [
  ['orders', 'Orders', 'o'],
  ['users', 'Users', 'u'],
  ['webhooks', 'Webhooks', 'w'],
  ['requests', 'Requests', 'r'],
  ['scenarios', 'Scenarios', 's'],
  ['faults', 'Faults', 'f'],
  ['coverage', 'Coverage', 'c'],
  ['snapshots', 'Snapshots', 'n'],
  ['api', 'API', 'a'],
  ['settings', 'Settings', 't'],
] as const
