import { VitalClient, VitalEnvironment } from '@tryvital/vital-node'

const client = new VitalClient({ apiKey: 'sk_us_from_the_source', environment: VitalEnvironment.Sandbox })
const user = await client.user.create({ clientUserId: 'typescript' })
console.log((await client.user.get(user.userId)).clientUserId)
