const paths: Readonly<Record<string, string>> = {
  orders: 'M4 6h16M4 12h16M4 18h10',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-6 6-6s6 2.7 6 6M16 5a3 3 0 0 1 0 6m2 3c2 .7 3.5 2.8 3.5 6',
  webhooks: 'M5 12h9m-4-4 4 4-4 4M19 5v14',
  requests: 'M8 7l-4 4 4 4M16 9l4 4-4 4M13 5l-2 14',
  scenarios: 'M5 4h9l5 5v11H5zM14 4v5h5M8 13h8M8 17h5',
  faults: 'M13 3 5 14h6l-1 7 8-11h-6z',
  coverage: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  snapshots: 'M4 8h3l2-3h6l2 3h3v11H4zM12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  api: 'M9 8l-4 4 4 4M15 8l4 4-4 4',
  settings: 'M4 7h10m4 0h2M4 17h2m4 0h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
}

export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="9.5" />
    <circle cx="9" cy="10" r="2.2" class="full" />
    <circle cx="14.5" cy="13.5" r="3" class="full" />
    <circle cx="14" cy="7.6" r="1.2" class="full" />
  </svg>
)
