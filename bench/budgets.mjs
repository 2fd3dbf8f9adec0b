/** The budgets, as ratios to bare Hono in the same run unless stated. `best` says whether lower or higher is better. */
export const budgets = [
  {
    what: 'start to the first 200 (`GET /v2/user`), all operations served, an empty store made',
    value: 'start',
    best: 'low',
    goal: 1.4,
    gate: 2.0,
  },
  { what: 'the same until `GET /_petri/health` answers', value: 'startHealth', best: 'low' },
  {
    what: 'start with 100 k orders stored, on top (seconds)',
    value: 'startFull',
    best: 'low',
    goal: 0.7,
    gate: 2,
  },
  {
    what: '`petri exec` around an empty program, on top of it (seconds)',
    value: 'exec',
    best: 'low',
    goal: 0.3,
    gate: 0.5,
  },
  { what: 'GET 50 markers', value: 'markers', best: 'high', goal: 3.0, gate: 1.5 },
  { what: 'GET order by id', value: 'order', best: 'high', goal: 1.2, gate: 0.65 },
  {
    what: 'POST kit order: validated, events, agenda and messages written, kept across SIGKILL ¹',
    value: 'post',
    best: 'high',
    goal: 0.6,
    gate: 0.3,
  },
  {
    what: 'POST order for a named patient, the same, over Hono + zod-openapi + one journal write',
    value: 'postPatient',
    best: 'high',
    goal: 0.8,
    gate: 0.35,
  },
  { what: 'POST kit order without a webhook endpoint', value: 'postPlain', best: 'high' },
  { what: 'POST kit order while an endpoint takes every delivery', value: 'postDelivered', best: 'high' },
  {
    what: 'GET order, p99 at 10 connections over Hono + zod-openapi’s',
    value: 'p99Get',
    best: 'low',
    goal: 1.5,
    gate: 3,
  },
  {
    what: 'POST order, p99 at 10 connections over Hono + zod-openapi’s',
    value: 'p99Post',
    best: 'low',
    goal: 1.5,
    gate: 3,
  },
  { what: 'POST median at 100 k orders over empty', value: 'growth', best: 'low', goal: 1.1, gate: 1.25 },
  {
    what: 'longest stall of the event loop, rewriting the store included (ms)',
    value: 'stall',
    best: 'low',
    goal: 30,
    gate: 100,
  },
  { what: 'bytes written per POST over bytes changed ²', value: 'bytes', best: 'low', goal: 1.5, gate: 3 },
  { what: 'memory at rest', value: 'rss', best: 'low', goal: 1.15, gate: 1.5 },
  {
    what: 'memory per stored order over its JSON bytes ³',
    value: 'orderRss',
    best: 'low',
    goal: 2,
    gate: 3.5,
  },
  { what: 'the same after a restart', value: 'orderRssRestarted', best: 'low' },
  {
    what: 'one transition while advancing 10 k orders, over 100 orders',
    value: 'advance',
    best: 'low',
    goal: 1.1,
    gate: 1.3,
  },
  {
    what: 'the same 10 k, watched by one event stream, over unwatched',
    value: 'advanceWatched',
    best: 'low',
    goal: 1.2,
    gate: 1.5,
  },
  {
    what: 'GET /v3/orders with any filter, any page, 100 k orders: the slowest (ms)',
    value: 'filters',
    best: 'low',
    goal: 5,
    gate: 15,
  },
  {
    what: 'deliveries to a loopback receiver over a bare undici POST loop, 10 at a time',
    value: 'deliveries',
    best: 'high',
    goal: 0.7,
    gate: 0.4,
  },
  {
    what: 'longest wait of a small request beside the heaviest calls there are (ms)',
    value: 'stallOfCalls',
    best: 'low',
    goal: 50,
    gate: 100,
  },
  {
    what: 'GET order, requests a second of CPU through nginx (its own CPU included) over direct',
    value: 'proxied',
    best: 'high',
  },
  { what: 'GET one day of heart rate (ms)', value: 'heartDay', best: 'low' },
  { what: 'GET a year of steps, page by page (ms per 1,000 samples)', value: 'stepsThousand', best: 'low' },
  { what: 'a sample of its last page over one of its first', value: 'stepsFlat', best: 'low' },
  {
    what: 'installed for production, without the page (MB)',
    value: 'installed',
    best: 'low',
    goal: 8,
    gate: 20,
  },
  { what: 'the same with the page (MB)', value: 'installedWithPage', best: 'low', goal: 9, gate: 22 },
]

export const notes = `¹ In a frozen world with one endpoint, whose receiver never responds to the first delivery. So both events of an order
get a message that waits, and sending does not compete with what is measured. Deliveries have their own row. After a
SIGKILL every acknowledged order is counted.

² Written: all that is handed to the kernel while 100 k orders come in and the store is rewritten, without answers.
Changed: the JSON of the rows an order changes (itself, events, jobs, scenario, counters).

³ In the process that took them, its garbage and all other rows included; after a restart, the same without garbage.`

export const isMet = ({ best }, value, limit) => (best === 'low' ? value <= limit : value >= limit)
