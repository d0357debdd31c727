import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { createServer } from '../../platform/http/index.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { callbackUrl, notifyRoute } from './notify-route.ts'

test('a notification that fails inside the service does not log the secret of its address', async () => {
  const lines: string[] = []
  const log = createLog('cloud', 'trace', { write: (line) => void lines.push(line) })
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  await sql`ALTER TABLE openadr_program RENAME TO lost`.execute(db)
  const app = createServer({ tls: undefined, log })
  onTestFinished(() => app.close())
  await notifyRoute(app, { db, clock: systemClock })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  // No digit in it: nothing but its place says that it is a secret.
  const secret = 'abcdefghijklmnopqrstuvwxyzABCDEF'
  const { status } = await fetch(callbackUrl(baseUrl, secret), { method: 'POST', body: '{}' })
  expect(status).toBe(500)
  const failed = lines.find((line) => line.includes('request failed'))
  expect(JSON.parse(failed ?? '')).toMatchObject({ level: 50, url: '/api/openadr/notifications/:token' })
  expect(lines.join('\n')).not.toContain(secret)
})
