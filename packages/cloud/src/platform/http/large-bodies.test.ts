import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from './server.ts'

const LARGE = 200_000
/** Room for two large bodies of a group, and for three in all. */
const SHARE = { bytes: 3 * LARGE, perGroup: 2 * LARGE }

async function open() {
  const bodies = { callers: SHARE, strangers: SHARE }
  const app = createServer({ tls: undefined, log: createLog('test', 'silent'), bodies })
  app.decorateRequest('refusal', undefined)
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-api-key'] === 'wrong') request.refusal = new Failure('unauthenticated', 'unknown key')
  })
  let admitted = 0
  app.addHook('preParsing', async () => {
    admitted += 1
  })
  const limits = { bodyLimit: LARGE }
  app.post(
    '/orgs/:orgId/notes',
    { ...limits, config: { access: { by: 'key', permission: 'x' } as never } },
    async () => 'noted',
  )
  app.post('/form', { ...limits, config: { access: { by: 'anyone' } } }, async () => 'noted')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo

  /** Sends a request without its body. */
  async function begin(path: string, { header = `content-length: ${LARGE}` } = {}) {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    await once(socket, 'connect')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n`)
    return { socket, answer: () => answer.split('\r\n')[0], text: () => answer }
  }
  const finish = (socket: Socket) => socket.write(JSON.stringify('x'.repeat(LARGE - 2)))
  /** Begins a request for whose body there is room. */
  async function hold(path: string, options?: { header: string }) {
    const before = admitted
    const request = await begin(path, options)
    await eventually(() => expect(admitted).toBe(before + 1))
    return request
  }
  /** Sends whole requests until one is accepted: the bytes of the one before are free a moment after its answer. */
  const sendUntilAccepted = (path: string) =>
    eventually(async () => {
      const { socket, answer } = await begin(path)
      finish(socket)
      await eventually(() => expect(answer()).not.toBe(''))
      expect(answer()).toContain('200')
    })
  return { begin, hold, finish, sendUntilAccepted }
}

test('large bodies of an organization beyond its share are refused before they are read', async () => {
  const { begin, hold, finish, sendUntilAccepted } = await open()
  const first = await hold('/orgs/one/notes')
  await hold('/orgs/one/notes')
  const third = await begin('/orgs/one/notes')
  await eventually(() => expect(third.answer()).toContain('429'))
  expect(third.text()).toMatch(/retry-after: 5\r\n/)
  expect(third.text()).toContain('too many large requests from this organization are under way')
  finish(first.socket)
  await eventually(() => expect(first.answer()).toContain('200'))
  await sendUntilAccepted('/orgs/one/notes')
})

test('another organization has room meanwhile, until the memory for all is taken', async () => {
  const { begin, hold, finish } = await open()
  await hold('/orgs/one/notes')
  await hold('/orgs/one/notes')
  const other = await hold('/orgs/two/notes')
  const third = await begin('/orgs/three/notes')
  await eventually(() => expect(third.answer()).toContain('503'))
  finish(other.socket)
  await eventually(() => expect(other.answer()).toContain('200'))
})

test('strangers share among themselves by network, and take nothing from organizations', async () => {
  const { begin, hold, finish } = await open()
  await hold('/form')
  await hold('/form')
  const third = await begin('/form')
  await eventually(() => expect(third.text()).toContain('too many large requests from your network are under way'))
  const one = await begin('/orgs/one/notes')
  finish(one.socket)
  await eventually(() => expect(one.answer()).toContain('200'))
})

test('a body without a length counts as the longest one, and a connection that is lost gives back what it had', async () => {
  const { begin, hold, sendUntilAccepted } = await open()
  const chunked = { header: 'transfer-encoding: chunked' }
  const lost = [await hold('/form', chunked), await hold('/form', chunked)]
  const refused = await begin('/form')
  await eventually(() => expect(refused.answer()).toContain('429'))
  for (const { socket } of lost) socket.destroy()
  await sendUntilAccepted('/form')
})

test('small bodies are not counted', async () => {
  const { begin } = await open()
  for (let times = 0; times < 5; times += 1) await begin('/form')
  const small = await begin('/form', { header: 'content-length: 2' })
  small.socket.write('""')
  await eventually(() => expect(small.answer()).toContain('200'))
})

test('a refused caller learns it before a large body', async () => {
  const { begin } = await open()
  const refused = await begin('/orgs/one/notes', { header: `x-api-key: wrong\r\ncontent-length: ${LARGE}` })
  await eventually(() => expect(refused.answer()).toContain('401'))
})
