import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { type Guard, RefusedAddress } from '../../platform/outbound/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { readBrowserKeys } from './encrypt-push.ts'
import type { PushKey } from './push-key.ts'
import { createPushStore } from './push-store.ts'

/** Lets people have new alerts in a browser that shows no page. */
export function pushRoutes(
  app: FastifyInstance,
  { db, key, guard, clock }: { db: Db; key: PushKey; guard: Pick<Guard, 'check'>; clock: Clock },
): void {
  addRoute(app, API.getPushKey, async () => ({ key: key.publicKey }))

  addRoute(app, API.addPushSubscription, async (request) => {
    const { endpoint, ...given } = request.body
    const keys = readBrowserKeys(given)
    if (!keys) throw new Failure('invalid', 'p256dh and auth must be the keys of a push subscription', 'p256dh')
    refuseForbidden(guard, endpoint)
    const { userId = '', sessionId = '' } = request
    await createPushStore(db).subscribe({ userId, sessionId, endpoint, at: new Date(clock.now()) }, keys)
  })

  addRoute(app, API.removePushSubscription, async (request) => {
    await createPushStore(db).unsubscribe(request.userId ?? '', request.query.endpoint)
  })
}

/** Browsers get addresses from their makers; a caller may send any. */
function refuseForbidden(guard: Pick<Guard, 'check'>, endpoint: string): void {
  try {
    guard.check(endpoint)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw new Failure('invalid', `endpoint: ${error.message.replace(/^url /, '')}`, 'endpoint')
  }
}
