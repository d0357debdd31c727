import type { Clock } from '@plantroom/base/clock'
import { API, type ReleasedOverrides } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { FORMER_PERMISSION } from '@plantroom/contract/permissions'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { type Db, explainConflicts } from '../../../platform/db/database.ts'
import { requireRoom } from '../../../platform/db/most-rows.ts'
import { addRoute, type Handler } from '../../../platform/routes/index.ts'
import type { ActivityLog } from '../../activity/index.ts'
import { makeApiKey } from '../secrets.ts'
import type { KeyRegistry } from './key-registry.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'

/** Cancels on controllers what a revoked key placed. Controllers that are offline do so when they are back. */
export interface OverrideReleases {
  /** Records, in the transaction that revokes a key, that every device it could control must cancel what it placed. */
  record(tx: Db, keyId: string, by: { id: string; name: string }): Promise<void>
  /** Sends the releases that were recorded for this caller, and says what was cancelled so far. */
  releaseNow(placedBy: string): Promise<ReleasedOverrides>
}

interface KeyRouteDeps {
  store: Pick<KeyStore, 'list' | 'exists'>
  activity: ActivityLog
  keys: KeyRegistry
  releases: OverrideReleases
  clock: Clock
}

/** Lists, creates, rotates and revokes the API keys of an organization, for its administrators. */
export function keyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  const { store, keys, clock } = deps

  addRoute(app, API.listKeys, async (request) => {
    await keys.saveLastUsed()
    return { keys: await store.list(request.params.orgId, new Date(clock.now())) }
  })

  creation(app, deps)
  rotation(app, deps)
  revocation(app, deps)
}

function creation(app: FastifyInstance, { activity, keys, clock }: KeyRouteDeps): void {
  const create: Handler<typeof API.createKey> = async (request) => {
    const { orgId } = request.params
    const { name, permissions } = request.body
    const siteIds = request.body.siteIds ?? null
    const expiresAt = readExpiry(request.body.expiresAt, clock.now()) ?? null
    const key = makeApiKey()
    const added = activity.change(request, async (tx, note) => {
      await requireRoom(tx, 'api_key', orgId)
      const { id, hash } = key
      await createKeyStore(tx).add({ id, organizationId: orgId, name, hash, permissions, siteIds, expiresAt })
      const details = { permissions, sites: siteIds?.length ?? 'all', expiresAt }
      note({ organizationId: orgId, action: 'key-created', subject: { kind: 'key', id, name }, details })
    })
    await explainConflicts(added, {
      api_key_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
      api_key_site_organization_id_site_id_fkey: new Failure(
        'invalid',
        'siteIds names a site that this organization does not have',
        'siteIds',
      ),
    })
    await keys.refresh(key.id)
    return { id: key.id, name, permissions, siteIds, expiresAt, apiKey: key.text }
  }
  addRoute(app, API.createKey, create, { preValidation: refuseFormerPermission })
}

/** Says what to use instead: "must be one of" would leave a caller who knows the former name guessing. */
const refuseFormerPermission: preValidationHookHandler = ({ body }, _reply, done) => {
  const { permissions } = (body ?? {}) as { permissions?: unknown }
  const { name, remedy } = FORMER_PERMISSION
  const place = Array.isArray(permissions) ? permissions.indexOf(name) : -1
  if (place < 0) return done()
  const field = `permissions[${place}]`
  done(new Failure('invalid', `${field}: the permission ${name} no longer exists: ${remedy}`, field))
}

function rotation(app: FastifyInstance, { store, activity, keys, clock }: KeyRouteDeps): void {
  addRoute(app, API.rotateKey, async (request) => {
    const { orgId, keyId } = request.params
    const { overlapSeconds } = request.body
    const now = clock.now()
    const expiresAt = readExpiry(request.body.expiresAt, now)
    const { text, hash } = makeApiKey(keyId)
    const previousUntil = new Date(now + overlapSeconds * 1000)
    const rotated = await activity.change(request, async (tx, note) => {
      const found = await createKeyStore(tx).rotate(orgId, keyId, { hash, at: new Date(now), previousUntil, expiresAt })
      if (!found) return undefined
      const subject = { kind: 'key', id: keyId, name: found.name } as const
      note({ organizationId: orgId, action: 'key-rotated', subject, details: { overlapSeconds } })
      return found
    })
    if (!rotated) {
      if (!(await store.exists(orgId, keyId))) throw unknownKey(keyId)
      throw new Failure('conflict', `the API key ${shown(keyId)} has expired or is revoked: create a new key`)
    }
    await keys.refresh(keyId)
    return {
      id: keyId,
      name: rotated.name,
      permissions: rotated.permissions,
      siteIds: rotated.all_sites ? null : rotated.site_ids,
      expiresAt: rotated.expires_at,
      apiKey: text,
      previousSecretUntil: overlapSeconds > 0 ? previousUntil : null,
    }
  })
}

function revocation(app: FastifyInstance, { activity, keys, releases, clock }: KeyRouteDeps): void {
  addRoute(app, API.revokeKey, async (request, reply) => {
    const { orgId, keyId } = request.params
    const cancelOverrides = request.query.cancelOverrides === 'true'
    const by = { id: request.callerId ?? 'operator', name: request.email ?? 'Operator' }
    await activity.change(request, async (tx, note) => {
      const revoked = await createKeyStore(tx).revoke(orgId, keyId, new Date(clock.now()))
      if (!revoked) throw unknownKey(keyId)
      if (cancelOverrides) await releases.record(tx, keyId, by)
      const subject = { kind: 'key', id: keyId, name: revoked.name } as const
      note({ organizationId: orgId, action: 'key-revoked', subject, details: { cancelOverrides } })
    })
    // Before the controllers are asked: what this process still accepts from the key would stay.
    await keys.refresh(keyId)
    if (!cancelOverrides) return reply.code(204).send()
    return releases.releaseNow(keyId)
  })
}

/** Returns the given time; `undefined` when none is given, `null` for "never". */
function readExpiry(given: string | null | undefined, now: number): Date | null | undefined {
  if (given === null || given === undefined) return given
  const at = parseTimestamp(given)
  if (at !== undefined && at > now) return new Date(at)
  throw new Failure('invalid', 'expiresAt is not in the future: give a later time, or leave it out', 'expiresAt')
}

const unknownKey = (keyId: string) => new Failure('notFound', `this organization has no API key ${shown(keyId)}`)
