import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { timeOf } from '../../platform/work/index.ts'
import { createPollStore } from './poll-store.ts'

/** The end of the address of the service at which a VTN announces changes of a program. */
const PATH = API.notifyOpenadr.path

/** Where the VTN of a program announces changes. The last part is a secret: anyone who knows it can wake the program. */
export const callbackUrl = (baseUrl: string, notifyToken: string) => `${baseUrl}${PATH.replace(':token', notifyToken)}`

/** Wakes the poll of a program. What a VTN says has changed is not believed, so no body is too long or in a wrong form. */
export async function notifyRoute(app: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume()
      done(null)
    })
    // Without a type, or with a malformed one, a body would be refused.
    scope.addHook('onRequest', async (request) => void delete request.headers['content-type'])
    addRoute(scope, API.notifyOpenadr, async ({ params }) => {
      await createPollStore(db).announce({ notifyToken: params.token }, timeOf(clock))
    })
  })
}
