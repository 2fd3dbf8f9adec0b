import * as z from 'zod'
import type { Manager } from '../api/credentials.ts'
import { text, uuid } from '../api/fields.ts'
import type { AnyOperation, Input, Operation, Route } from '../api/operation.ts'
import { type LazySchema, unnamed } from '../api/schema.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import type { NewWorld } from '../world/new-world.ts'
import { type Organisation, organisationId } from '../world/organisation.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { type Environment, environment, region } from './fields.ts'
import { assertEnvironment, type TeamFilter, teamsOf } from './teams-of-key.ts'

/** The dependencies of the management API, which manages worlds. */
export interface Management {
  readonly worlds: Worlds
  /** Milliseconds since 1970, by the clock of the first world. Rows of the organisation expire by it. */
  readonly now: () => number
  /** The key from the settings; undefined if there is none. */
  readonly firstKey: string | undefined
  /** Options of a new team's world. */
  readonly newWorldDefaults: Omit<NewWorld, 'name'>
}

/** Passed to an operation of the management API with its input. */
export interface ManagementContext extends Management {
  readonly organisation: Organisation
  /** The holder of the key of the call. */
  readonly manager: Manager
  /** The teams that the key manages, of the region and environment in the path, if there are any. */
  teams(): KnownWorld[]
}

/** The parameters of paths, in the order in which they are documented and checked. */
const pathParameters = {
  account_id: uuid,
  env: environment,
  environment,
  org_id: uuid,
  domain_id: uuid,
  invite_id: uuid,
  key_id: uuid,
  member_id: uuid,
  query_id: uuid,
  region,
  team_id: uuid,
  webhook_id: text,
}

type PathSchema<Path extends string> = LazySchema<
  z.ZodType<{
    [Name in keyof typeof pathParameters as Path extends `${string}{${Name}}${string}`
      ? Name
      : never]: z.output<ReturnType<(typeof pathParameters)[Name]>>
  }>
>

interface ManagedOperation<Path extends Route, Query, Body, Returns>
  extends Omit<Operation<PathSchema<Path>, Query, undefined, Body, Returns>, 'run'> {
  readonly route: Path
  /** Needs a key of the role `org_admin`, because it affects the whole organisation. */
  readonly adminsOnly?: true
  run(
    world: World,
    input: Input<PathSchema<Path>, Query, undefined, Body>,
    context: ManagementContext,
  ): ReturnType<Operation<unknown, unknown, unknown, unknown, Returns>['run']>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets their particular types.
export type AnyManagedOperation = ManagedOperation<any, any, any, any>

/** Declares an operation of the management API. The schema of its path follows from the route. */
export const managed = <
  const Path extends Route,
  Query extends LazySchema | undefined = undefined,
  Body extends LazySchema | undefined = undefined,
  Returns extends LazySchema | undefined = undefined,
>(
  declaration: ManagedOperation<Path, Query, Body, Returns>,
): ManagedOperation<Path, Query, Body, Returns> => declaration

const pathSchema = (route: Route): LazySchema =>
  unnamed(() => {
    const named = Object.entries(pathParameters).filter(([name]) => route.includes(`{${name}}`))
    return z.object(Object.fromEntries(named.map(([name, field]) => [name, field()])))
  })

interface ResolvedPath extends TeamFilter {
  readonly org_id: string
  readonly team_id: string
  readonly environment: Environment
}

/** The operation as it is routed: first the path and the role of the key are checked. */
export const routed =
  (management: Management) =>
  ({ adminsOnly, ...operation }: AnyManagedOperation): AnyOperation => ({
    ...operation,
    params: pathSchema(operation.route),
    access: 'management',
    run(world: World | undefined, input, { manager }) {
      const path: Partial<ResolvedPath> = input.params ?? {}
      const { org_id, team_id, environment, env = environment, region } = path
      if (!manager) throw new Error('this operation takes no management key')
      if (org_id !== organisationId && !manager.takesAnyOrganisation) throw notFound('Organization not found')
      if (adminsOnly && manager.role !== 'org_admin') {
        throw new Problem('forbidden', 'This call needs a management key with the role org_admin.')
      }
      // Resolves the team's world for the credentials; undefined if the team does not exist or the key may not see it.
      if (team_id !== undefined && !world) throw notFound('Team not found')
      if (world && environment !== undefined) assertEnvironment(world, environment)
      const { worlds } = management
      // A call without a team in its path changes worlds that it names in its body.
      if (!world && !operation.route.startsWith('GET ')) worlds.assertWritable()
      return operation.run(world as World, input, {
        ...management,
        organisation: worlds.organisation,
        manager,
        teams: () => teamsOf(worlds, manager, env && region && { env, region }),
      })
    },
  })
