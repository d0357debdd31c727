import { createLog } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import { route } from '@plantroom/contract/route'
import { integer, object } from '@plantroom/contract/schema'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { addRoute } from '../routes/index.ts'
import { AJV_OPTIONS } from './lazy-schemas.ts'
import { createServer } from './server.ts'

test('every schema of the API compiles', async () => {
  // Fastify's own compilers do not wait for the first request.
  const app = Fastify({ ajv: { customOptions: AJV_OPTIONS } })
  onTestFinished(() => app.close())
  for (const declared of Object.values(API)) addRoute(app, declared, () => undefined as never)
  await app.ready()
})

test('a schema is compiled once, and its errors are those of the request', async () => {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  let reads = 0
  const body = object({ count: integer({ maximum: 10 }) })
  const counted = {
    ...body,
    get properties() {
      reads += 1
      return body.properties
    },
  }
  const access = { by: 'anyone' } as const
  const add = route({ access, tag: 'Operation', summary: 'Test', method: 'POST', path: '/counts', body, status: 204 })
  addRoute(app, { ...add, body: counted }, () => undefined)
  await app.ready()
  const atStart = reads
  const post = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/counts', payload })
    return answer.statusCode === 204 ? 204 : answer.json().message
  }
  const answers = [
    await post({ count: 5 }),
    await post({ count: 11 }),
    await post({ count: 'x' }),
    await post({ count: 6 }),
  ]
  expect(answers).toEqual([204, 'count must be at most 10', 'count must be of type integer', 204])
  const compiled = reads
  await post({ count: 7 })
  expect([compiled > atStart, reads]).toEqual([true, compiled])
})
