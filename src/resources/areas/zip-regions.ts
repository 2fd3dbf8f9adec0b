/** First and last ZIP prefix of each state; gaps are unassigned. Common US postal geography. */
const ranges =
  '005 NY 005|006 PR 009|010 MA 027|028 RI 029|030 NH 038|039 ME 049|050 VT 054|055 MA 055|056 VT 059|060 CT 069|070 NJ 089|' +
  '100 NY 149|150 PA 196|197 DE 199|200 DC 200|201 VA 201|202 DC 205|206 MD 219|220 VA 246|247 WV 268|270 NC 289|290 SC 299|' +
  '300 GA 319|320 FL 349|350 AL 369|370 TN 385|386 MS 397|398 GA 399|400 KY 427|430 OH 459|460 IN 479|480 MI 499|500 IA 528|' +
  '530 WI 549|550 MN 567|570 SD 577|580 ND 588|590 MT 599|600 IL 629|630 MO 658|660 KS 679|680 NE 693|700 LA 714|716 AR 729|' +
  '730 OK 749|750 TX 799|800 CO 816|820 WY 831|832 ID 838|840 UT 847|850 AZ 865|870 NM 884|885 TX 885|889 NV 898|900 CA 961|' +
  '967 HI 968|970 OR 979|980 WA 994|995 AK 999'

/** The time zone of most of the state. */
const zones: Readonly<Record<string, string>> = {
  'America/New_York': 'NY MA RI NH ME VT CT NJ PA DE DC VA MD WV NC SC GA FL KY OH MI',
  'America/Chicago': 'AL TN MS IA WI MN SD ND IL MO KS NE LA AR OK TX',
  'America/Denver': 'MT CO WY ID UT NM',
  'America/Los_Angeles': 'NV CA OR WA',
  'America/Phoenix': 'AZ',
  'America/Indiana/Indianapolis': 'IN',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR',
}

/** Magic ZIP codes; they get the location of the sandbox's sample addresses. */
const MAGIC = /^00[1-4]/

/** The state of a ZIP code; undefined for an unassigned one. */
export const stateOfZip = (zip: string): string | undefined =>
  MAGIC.test(zip) ? 'AZ' : regionOf(zip.slice(0, 3))?.state

export interface Region {
  readonly state: string
  readonly zone: string
}

/** The state and time zone of a ZIP prefix of three digits; undefined for an unassigned one. */
export function regionOf(prefix: string): Region | undefined {
  const found = ranges
    .split('|')
    .map((range) => range.split(' ') as [string, string, string])
    .find(([from, , to]) => prefix >= from && prefix <= to)
  if (!found) return undefined
  const [, state] = found
  const zone = Object.keys(zones).find((each) => zones[each]?.split(' ').includes(state))
  return zone === undefined ? undefined : { state, zone }
}
