import { createLog } from '@plantroom/base/log'
import { route } from '@plantroom/contract/route'
import { anyObject, array, defaulted, integer, object, optional, record, text } from '@plantroom/contract/schema'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { addRoute, type Handler } from './index.ts'

const common = { access: { by: 'anyone' }, tag: 'Operation', summary: 'Test' } as const
const listRooms = route({
  ...common,
  method: 'GET',
  path: '/sites/:siteId/rooms',
  query: object({ limit: defaulted(integer({ maximum: 10 }), 5) }),
  reply: object({ rooms: array(object({ name: text(), createdAt: text({ format: 'date-time' }) })) }),
})
const addRoom = route({
  ...common,
  method: 'POST',
  path: '/sites/:siteId/rooms',
  body: object({ name: text() }),
  status: 201,
  reply: object({ id: text() }),
})
const removeRoom = route({ ...common, method: 'DELETE', path: '/rooms/:roomId', status: 204 })

function serve(add: (app: ReturnType<typeof createServer>) => void) {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  add(app)
  return app
}

describe('a route of the contract', () => {
  test('answers with its status and only the declared fields', async () => {
    const app = serve((app) => addRoute(app, addRoom, async ({ body }) => ({ id: `room ${body.name}`, secret: 1 })))
    const answer = await app.inject({ method: 'POST', url: '/sites/a/rooms', payload: { name: 'Attic' } })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({ id: 'room Attic' })
  })

  test('fills in the defaults of the query, and writes dates as RFC 3339', async () => {
    const limits: number[] = []
    const app = serve((app) =>
      addRoute(app, listRooms, async ({ query }) => {
        limits.push(query.limit)
        return { rooms: [{ name: 'Attic', createdAt: new Date(0) }] }
      }),
    )
    const answer = await app.inject('/sites/a/rooms')
    expect(answer.json()).toEqual({ rooms: [{ name: 'Attic', createdAt: '1970-01-01T00:00:00.000Z' }] })
    expect((await app.inject('/sites/a/rooms?limit=11')).statusCode).toBe(400)
    expect(limits).toEqual([5])
  })

  test('without a reply answers 204 with no body', async () => {
    const removed: string[] = []
    const app = serve((app) => addRoute(app, removeRoom, async ({ params }) => void removed.push(params.roomId)))
    const answer = await app.inject({ method: 'DELETE', url: '/rooms/r1' })
    expect([answer.statusCode, answer.body, removed]).toEqual([204, '', ['r1']])
  })

  test.each([
    ['%00', '\\u0000'],
    ['a%00b', 'a\\u0000b'],
    ['x'.repeat(256), `${'x'.repeat(100)}…`],
  ])('answers 404 for the id %s, which no column can hold, without asking the handler', async (id, shown) => {
    const asked: string[] = []
    const app = serve((app) => addRoute(app, removeRoom, async ({ params }) => void asked.push(params.roomId)))
    const answer = await app.inject({ method: 'DELETE', url: `/rooms/${id}` })
    expect([answer.statusCode, asked]).toEqual([404, []])
    expect(answer.json()).toMatchObject({
      code: 'NOT_FOUND',
      message: `nothing has the roomId ${shown}: an id has 1 to 255 characters and no U+0000`,
    })
  })

  describe('refuses what it does not declare', () => {
    const dispatch = route({
      ...common,
      method: 'POST',
      path: '/dispatches',
      query: object({ limit: optional(integer()) }),
      body: object({
        from: text(),
        to: optional(text()),
        select: optional(object({ siteIds: array(text()) })),
        rules: optional(array(object({ kind: text() }))),
        labels: optional(record(object({ color: text() }))),
        options: optional(anyObject()),
      }),
      status: 204,
    })
    const ask = async (declared: typeof dispatch, payload: object, query = '') => {
      const app = serve((app) => addRoute(app, declared, async () => undefined))
      const { statusCode, body } = await app.inject({ method: 'POST', url: `/dispatches${query}`, payload })
      return statusCode === 204 ? 204 : [statusCode, JSON.parse(body).field, JSON.parse(body).message]
    }
    const unknown = (field: string, end = '') => [400, field, `${field} is not a known field${end}`]

    test.each([
      [{ from: '1', too: '2' }, unknown('too', '; did you mean to?')],
      // A misspelt field is the reason why the other is missing.
      [{ fromm: '1' }, unknown('fromm', '; did you mean from?')],
      [{ whatever: '1' }, [400, 'from', 'from is missing']],
      [{ from: '1', whatever: '2' }, unknown('whatever')],
      [{ from: '1', constructor: 1 }, unknown('constructor')],
      [{ from: '1', select: { siteIDs: ['s'] } }, unknown('select.siteIDs', '; did you mean siteIds?')],
      [
        { from: '1', rules: [{ kind: 'a' }, { kind: 'b', kinds: 1 }] },
        unknown('rules[1].kinds', '; did you mean kind?'),
      ],
      [{ from: '1', labels: { red: { colour: 'f00' } } }, unknown('labels.red.colour', '; did you mean color?')],
      [{ from: '1', labels: { any: { color: 'f00' } }, options: { any: { thing: 1 } } }, 204],
    ])('in the body: %j', async (payload, answer) => {
      expect(await ask(dispatch, payload)).toEqual(answer)
    })

    test('in the query', async () => {
      expect(await ask(dispatch, { from: '1' }, '?limit=5')).toBe(204)
      expect(await ask(dispatch, { from: '1' }, '?limits=5')).toEqual(unknown('limits', '; did you mean limit?'))
    })

    test('in the body of a route that takes none', async () => {
      const { body: _, ...bare } = dispatch
      expect(await ask(bare as typeof dispatch, {})).toBe(204)
      expect(await ask(bare as typeof dispatch, { from: '1' })).toEqual(unknown('from'))
      const app = serve((app) => addRoute(app, removeRoom, async () => undefined))
      expect((await app.inject({ method: 'DELETE', url: '/rooms/r1' })).statusCode).toBe(204)
    })

    test('in the query of a route that takes none', async () => {
      const { query: _, ...bare } = dispatch
      expect(await ask(bare as typeof dispatch, { from: '1' }, '?limit=5')).toEqual(unknown('limit'))
    })

    test('unless it is known to ignore it, as the commands of the contract are', async () => {
      const [body, query] = [object({ from: text() }), object({ limit: optional(integer()) })]
      const open = route({ ...dispatch, body, query, ignoresUnknown: true }) as unknown as typeof dispatch
      expect(await ask(open, { from: '1', fromm: '2' }, '?limits=5')).toBe(204)
      expect(await ask(open, { fromm: '2' })).toEqual([400, 'from', 'from is missing'])
    })
  })

  test('does not compile with a handler that leaves out a field', () => {
    // @ts-expect-error the reply lacks its id
    const handler: Handler<typeof addRoom> = async () => ({})
    expect(handler).toBeTypeOf('function')
  })
})
