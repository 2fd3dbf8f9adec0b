import assert from 'node:assert/strict'
import type { ExploreProperty } from '../../src/client/explore.ts'
import {
  createWearableApp,
  FIRST_DAY,
  ofGroup,
  ofSummary,
  readRows,
  series,
  summaries,
  type WearableBug,
} from './wearable-app.ts'

/** Where the users of a history with connections live. */
const ZONE = 'America/New_York'

/** Once all is quiet, what the app has stored is what can be read, each row once. */
export const storesWhatCanBeRead =
  (bug?: WearableBug, onDelivery?: (id: string, body: string) => void): ExploreProperty =>
  async ({ world, history }) => {
    const { app, look, rows, providersOf } = createWearableApp(world.fetch, world.webhookSecret, ZONE, bug)
    await world.webhooks.deliverTo(async (request) => {
      onDelivery?.(request.headers.get('svix-id') ?? '', await request.clone().text())
      return app.fetch(new Request('http://app/webhooks', request))
    })
    // A read that fails is an error page, and no mistake.
    await history.play({ look: ({ user_id }) => look(user_id).catch(() => undefined) })
    const read = (path: string) => world.call('GET', path)
    // All connections are of the first user.
    for (const userId of history.userIds.slice(0, 1)) {
      const expected = []
      for (const resource of [...summaries, ...series]) {
        const found = await readRows(read, resource, userId, `start_date=${FIRST_DAY}`)
        expected.push(...found.rows.map((row) => ofSummary(row, resource)))
        expected.push(...found.groups.flatMap((group) => ofGroup(group, resource, ZONE)))
      }
      const inWords = ({ key, day, value }: { key: string; day: string; value: unknown }) =>
        `${key} of ${day}: ${value}`
      const [stored, true_] = [rows().map(inWords).sort(), expected.map(inWords).sort()]
      const missing = true_.filter((row) => !stored.includes(row))
      const odd = stored.filter((row) => !true_.includes(row))
      const twice = stored.length - new Set(stored).size
      assert.deepEqual(
        { missing: missing.slice(0, 2), odd: odd.slice(0, 2), twice },
        { missing: [], odd: [], twice: 0 },
        `stored ${stored.length} rows of ${true_.length}; missing ${missing[0] ?? 'none'}; odd ${odd[0] ?? 'none'}; ${twice} twice`,
      )
      const { providers } = await world.call<{ providers: readonly { slug: string; status: string }[] }>(
        'GET',
        `/v2/user/providers/${userId}`,
      )
      // A pause is not announced: the page that is looked at now shows it, unless its read fails.
      const isSeen = await look(userId).then(
        () => true,
        () => false,
      )
      if (!isSeen) continue
      const connected = providers.filter(({ status }) => status === 'connected').map(({ slug }) => slug)
      assert.deepEqual(
        providersOf(userId),
        connected,
        `the app shows ${providersOf(userId)} connected; expected ${connected}`,
      )
    }
  }
