import { type AnyOperation, operation } from '../../api/operation.ts'
import { Success } from '../users/schema.ts'
import { getUser } from '../users/service.ts'
import type { UploadKind } from './kind.ts'
import { uploadReader } from './read-upload.ts'
import { seriesUploads } from './samples.ts'
import {
  Accepted,
  CodeExchangeQuery,
  ExchangedCode,
  HistoricalStage,
  SignInToken,
  SyncPath,
  SyncProgress,
  SyncState,
  SyncStateInput,
  TokenPair,
  TokenRequest,
  UploadedList,
  UploadedObject,
} from './schema.ts'
import { createSignInToken, exchangeCode, exchangeToken } from './service.ts'
import { summaryUploads } from './summaries.ts'
import { recordProgress, startStage, syncState } from './sync.ts'
import { receiveUpload } from './uploads.ts'

/** Not in the published contract; read in the mobile SDKs. Source: docs/contract/phones.md. */
const tag = 'mobile'
const takesUserToken = true

/** Android sends 30 days in one call; iOS up to 10,000 samples, which are 3 MB. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024

const signIn = [
  operation({
    id: 'user_get_user_sign_in_token',
    route: 'POST /v2/user/{user_id}/sign_in_token',
    summary: 'Create a sign-in token for a mobile app',
    returns: SignInToken,
    run: (world, { params }) => createSignInToken(world, params.user_id),
  }),
  ...(['/v1/token', '/auth/v1/token'] as const).map((path) =>
    operation({
      id: path === '/v1/token' ? 'mobile_token' : 'mobile_auth_token',
      route: `POST ${path}`,
      tag,
      access: 'grant',
      summary: 'Exchange a sign-in token for an access token, or renew an access token',
      assumes: [
        'A sign-in token is valid for an hour and can be exchanged again; its signature is an HMAC of the world.',
        'A refresh token stays the same and does not expire.',
      ],
      takesForm: true,
      body: TokenRequest,
      returns: TokenPair,
      run: (world, { body }) => exchangeToken(world, body),
    }),
  ),
  operation({
    id: 'link_code_exchange',
    route: 'POST /v2/link/code/exchange',
    tag,
    access: 'grant',
    summary: 'Exchange a link code for a sign-in token',
    query: CodeExchangeQuery,
    returns: ExchangedCode,
    run: (world, { query }) => exchangeCode(world, query.code),
  }),
  operation({
    id: 'user_revoke_app_api_key',
    route: 'POST /v2/user/{user_id}/revoke_app_api_key',
    tag,
    summary: 'Revoke the key of an app; the key of a world stays valid',
    assumes: ['Nothing is revoked, because Petri has no keys of apps.'],
    returns: Success,
    run(world, { params }) {
      getUser(world, params.user_id)
      return { success: true }
    },
  }),
]

const sync = [
  operation({
    id: 'user_sdk_sync_state',
    route: 'POST /v2/user/{user_id}/sdk_sync_state/{provider}',
    tag,
    takesUserToken,
    summary: 'Get whether and from when an SDK uploads data',
    assumes: ['The status follows the connection: `active`, `paused`, or `error` without a connection.'],
    params: SyncPath,
    body: SyncStateInput,
    returns: SyncState,
    run: (world, { params, body }) => syncState(world, params.user_id, params.provider, body),
  }),
  operation({
    id: 'user_sdk_start_historical_stage',
    route: 'POST /v2/user/{user_id}/sdk_start_historical_stage/{provider}',
    tag,
    takesUserToken,
    summary: 'Announce the upload of a history',
    params: SyncPath,
    body: HistoricalStage,
    returns: Accepted,
    run(world, { params, body }) {
      startStage(world, params.user_id, params.provider, body)
      return { success: true as const }
    },
  }),
  operation({
    id: 'user_sdk_sync_progress',
    route: 'POST /v2/user/{user_id}/sdk_sync_progress/{provider}',
    tag,
    takesUserToken,
    takesGzip: true,
    summary: 'Report the progress of uploads',
    params: SyncPath,
    body: SyncProgress,
    returns: Accepted,
    run(world, { params, body }) {
      recordProgress(world, params.user_id, params.provider, body)
      return { success: true as const }
    },
  }),
]

const upload = (kind: UploadKind, route: `POST /${string}/{user_id}${string}`, id: string) =>
  operation({
    id,
    route,
    tag,
    takesUserToken,
    takesGzip: true,
    maxBodyBytes: MAX_UPLOAD_BYTES,
    readBody: uploadReader(kind),
    summary: `Upload ${kind.path} from a phone`,
    assumes: kind.assumes ?? [],
    body: kind.isSingle ? UploadedObject : UploadedList,
    returns: Accepted,
    async run(world, { params, body }) {
      await receiveUpload(world, params.user_id, kind, body)
      return { success: true as const }
    },
  })

export const mobileOperations: readonly AnyOperation[] = [
  ...signIn,
  ...sync,
  ...summaryUploads.map((kind) =>
    upload(kind, `POST /v2/summary/${kind.path}/{user_id}`, `${kind.path}_upload`),
  ),
  ...seriesUploads.map((kind) =>
    upload(kind, `POST /v2/timeseries/{user_id}/${kind.path}`, `vitals_${kind.path}_upload`),
  ),
]
