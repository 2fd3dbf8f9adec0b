/** The world of a Petri that is only asked what it serves. */
export const firstWorld = {
  name: 'Petri',
  seed: '1',
  frozen: true,
  now: 0,
  pace: 1,
  scenario: 'manual',
  webhookUrl: null,
}
