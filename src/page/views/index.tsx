import type { ComponentChildren } from 'preact'
import { Empty, Link, Title } from '../ui.tsx'
import { CoverageView } from './coverage.tsx'
import { FaultsView } from './faults.tsx'
import { OrderView } from './order.tsx'
import { OrdersView } from './orders.tsx'
import { ReferenceView } from './reference.tsx'
import { RequestsView } from './requests.tsx'
import { ScenariosView } from './scenarios.tsx'
import { SettingsView } from './settings.tsx'
import { SnapshotsView } from './snapshots.tsx'
import { UserView } from './user.tsx'
import { UsersView } from './users.tsx'
import { WebhooksView } from './webhooks.tsx'

const views: Readonly<Record<string, (id: string | undefined) => ComponentChildren>> = {
  orders: (id) => (id ? <OrderView key={id} id={id} /> : <OrdersView />),
  users: (id) => (id ? <UserView key={id} id={id} /> : <UsersView />),
  webhooks: (id) => <WebhooksView id={id} />,
  requests: (id) => <RequestsView id={id} />,
  scenarios: (id) => <ScenariosView name={id} />,
  faults: () => <FaultsView />,
  coverage: () => <CoverageView />,
  snapshots: () => <SnapshotsView />,
  api: (id) => <ReferenceView id={id} />,
  settings: () => <SettingsView />,
}

/** What the address names. */
export const ViewOf = ({ place, id }: { place: string; id: string | undefined }) =>
  Object.hasOwn(views, place) ? views[place]?.(id) : <Unknown place={place} />

const Unknown = ({ place }: { place: string }) => (
  <>
    <Title title="Nothing is here" />
    <Empty>
      There is no view “{place}”. <Link to="/orders">Orders</Link> are a good place to begin.
    </Empty>
  </>
)
