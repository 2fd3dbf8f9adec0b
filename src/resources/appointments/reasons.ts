/** Why an appointment is cancelled. Source: contract/seed-data.md §7. */
export interface Reason {
  readonly id: string
  readonly name: string
  readonly is_refundable: boolean
}

const reason = (id: string, name: string): Reason => ({ id, name, is_refundable: true })

export const OTHER = 'Other'

export const homeReasons: readonly Reason[] = [
  reason('5c0257ef-6fea-4a22-b20a-3ddab573d5c9', 'Did not fast for appointment'),
  reason('448c519c-64b4-4497-ae73-622fa93371b3', 'Do not trust company'),
  reason('d378e152-12d1-433e-9dd1-e0410f9331dc', 'Getlabs cannot deliver to my preferred lab'),
  reason('5330c863-ac80-4316-901b-d305d0df74d5', 'No longer interested'),
  reason('2b9f23fd-163e-4483-bb10-90c74a67e0dc', OTHER),
  reason('98f861dd-fe61-4817-a9d6-1b99b19cd0fb', 'Provider asked me to cancel'),
  reason('7dfd7da5-ed6e-40bb-a7e4-c8003f0c10a9', 'Scheduled for wrong patient'),
  reason('796da8c8-e654-4347-8ded-1026410c1976', 'Scheduled time no longer works'),
  reason('ba02af35-a34f-4a7a-abe5-5f766e8f6cd1', 'Unable to get lab order from provider'),
  reason('0c9425db-f11e-49c5-b976-3c0d1d4a4ea8', 'Wanted to book in-person appointment'),
  reason('2599a0ea-0b4a-42fe-8df6-d8f7c68182e7', 'Went to lab for appointment'),
  reason('7be75f90-303d-4656-8eed-9bd3e20cb2cc', 'Getlabs - late'),
  reason('ae3ec4dc-387c-42ac-835a-bf88fc4e411b', 'Getlabs -Phleb Out Sick'),
  reason('e2396e00-dd49-4f38-a395-51d6304c3312', 'Getlabs rescheduled time does not work for patient'),
]

export const pscReasons: readonly Reason[] = [reason('226a6520-667c-495f-8500-c20722d231d0', OTHER)]

/** Accepted although not listed, from older samples. */
export const olderPscReasons: readonly Reason[] = [reason('5c0257ef-6fea-4a22-b20a-3ddab573d5c9', OTHER)]
