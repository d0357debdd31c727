import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CloudConfig } from '../config.ts'
import { startPgBouncer, withoutPgBouncer } from '../platform/db/testing/pgbouncer.ts'
import { addTenant, asOperator, call, commandPath, createKey, startTestCloud } from '../testing/cloud.ts'
import { createTestDatabase } from '../testing/database.ts'

// A few intervals of the change feed, on a machine that runs other tests.
const SOON_MS = 40_000

async function start(changes: Partial<CloudConfig>) {
  const cloud = await startTestCloud(changes)
  onTestFinished(() => cloud.stop())
  return cloud
}

describe.skipIf(withoutPgBouncer)('a cloud behind PgBouncer', () => {
  test('in transaction mode is not ready, names the remedy, and still stops accepting a key that another process revokes', async () => {
    const databaseUrl = await createTestDatabase()
    const [behind, direct] = [
      await start({ databaseUrl: await startPgBouncer(databaseUrl, 'transaction') }),
      await start({ databaseUrl }),
    ]
    const { orgId, deviceId } = await addTenant(direct, 'Organization')
    const { id, apiKey } = await createKey(direct, orgId, ['edge-device:read_write'])
    const status = async () => {
      const path = commandPath(orgId, deviceId, 'getTechnicalConnectionValues')
      return (await call(behind, 'POST', path, { headers: { 'x-api-key': apiKey }, body: { data: { id: 'x' } } }))
        .status
    }
    await eventually(async () => expect(await status()).toBe(502), SOON_MS)
    await eventually(async () => {
      const answer = await call(behind, 'GET', '/readyz')
      expect([answer.status, answer.body.changes]).toEqual([503, expect.stringMatching(/PLANTROOM_LISTEN_URL/)])
    }, SOON_MS)
    await asOperator(direct, 'DELETE', `/api/orgs/${orgId}/api-keys/${id}`)
    await eventually(async () => expect(await status()).toBe(401), SOON_MS)
  })

  test.each(['transaction mode with PLANTROOM_LISTEN_URL', 'session mode'])('is ready in %s', async (mode) => {
    const databaseUrl = await createTestDatabase()
    const isSession = mode === 'session mode'
    const behind = await start({
      databaseUrl: await startPgBouncer(databaseUrl, isSession ? 'session' : 'transaction'),
      ...(!isSession && { listenUrl: databaseUrl }),
    })
    await eventually(async () => expect((await call(behind, 'GET', '/readyz')).status).toBe(200), SOON_MS)
  })
})
