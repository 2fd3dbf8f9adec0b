import { describe, expect, it } from 'vitest'
import {
  canMove,
  dotted,
  dottedStatuses,
  happyPaths,
  isFinal,
  type LowStatus,
  legalMoves,
  lowStatuses,
  methods,
  pathTo,
  readStatus,
  topStatusOf,
  workflows,
  workflowsOf,
} from '../../src/resources/orders/lifecycle.ts'

describe('the life of an order', () => {
  it('knows the 54 dotted statuses of the contract', () => {
    expect(dottedStatuses.length).toBe(54)
    expect(new Set(dottedStatuses).size).toBe(54)
    expect(
      new Set(methods.flatMap((method) => lowStatuses.filter((low) => topStatusOf(method, low)))).size,
    ).toBe(27)
  })

  it.each(workflows)('can be lived from end to end on the workflow %s', (workflow) => {
    const path = happyPaths[workflow]
    for (let at = 1; at < path.length; at++) {
      expect(
        canMove(workflow, path.slice(0, at), path[at] as LowStatus),
        `${path[at - 1]} to ${path[at]}`,
      ).toBe(true)
    }
  })

  it('only leads to statuses its method has', () => {
    for (const method of methods) {
      for (const workflow of workflowsOf(method)) {
        for (const low of lowStatuses.filter((status) => topStatusOf(method, status))) {
          for (const to of legalMoves(workflow, ['ordered', low])) {
            expect(topStatusOf(method, to), `${workflow}: ${low} to ${to}`).toBeDefined()
          }
        }
      }
    }
  })

  it('ends where nothing follows', () => {
    for (const low of ['lost', 'sample_error', 'do_not_process', 'failure_to_deliver_to_lab'] as const) {
      expect(isFinal('registered_kit', ['ordered', low])).toBe(true)
      expect(isFinal('registrable_kit', ['ordered', low])).toBe(true)
    }
  })

  it('returns a registered kit only after the customer had it', () => {
    const early: LowStatus[] = ['ordered', 'awaiting_registration', 'registered', 'requisition_created']
    expect(canMove('registrable_kit', early, 'transit_lab')).toBe(false)
    expect(canMove('registrable_kit', early, 'transit_customer')).toBe(true)
    const late: LowStatus[] = [
      ...early.slice(0, 2),
      'transit_customer',
      'with_customer',
      'registered',
      'requisition_created',
    ]
    expect(canMove('registrable_kit', late, 'transit_lab')).toBe(true)
    expect(canMove('registrable_kit', late, 'transit_customer')).toBe(false)
  })

  it('reads every status in each accepted spelling', () => {
    for (const method of methods) {
      for (const low of lowStatuses.filter((status) => topStatusOf(method, status))) {
        expect(readStatus(dotted(method, low))).toEqual({ low, method })
        expect(readStatus(low)).toEqual({ low })
      }
    }
    expect(readStatus('received.testkit.registered')).toEqual({ low: 'registered', method: 'testkit' })
    expect(readStatus('testkit_registered')).toEqual({ low: 'registered' })
    expect(readStatus('received.testkit.completed')).toBeUndefined()
    expect(readStatus('nonsense')).toBeUndefined()
  })

  it('finds the shortest legal path, along the happy path where possible', () => {
    expect(pathTo('registered_kit', ['ordered'], 'completed')).toEqual([
      'requisition_created',
      'transit_customer',
      'with_customer',
      'delivered_to_lab',
      'completed',
    ])
    expect(pathTo('registered_kit', ['ordered', 'lost'], 'completed')).toBeUndefined()
  })
})
