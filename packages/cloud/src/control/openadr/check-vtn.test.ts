import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../platform/broker/testing/certificate.ts'
import { createGuard, createTransport, openPlaces } from '../../platform/outbound/index.ts'
import { createSeal } from '../../platform/seal/index.ts'
import { checkVtn } from './check-vtn.ts'
import type { ProgramSettings } from './program-store.ts'
import { openBench } from './testing/bench.ts'
import { createVtnSessions } from './vtn-sessions.ts'

type Bench = Awaited<ReturnType<typeof openBench>>

/** Checks a program with other settings than those of the bench. */
async function check(bench: Bench, changes: Partial<ProgramSettings> = {}, secret?: string) {
  const stored = await bench.store.read('org', bench.programId)
  if (!stored) throw new Error('the program is missing')
  const seal = createSeal('a key', 'openadr')
  const program = {
    ...stored,
    settings: { ...stored.settings, ...changes },
    ...(secret !== undefined && { secret: seal.seal(secret, stored.id) }),
  }
  const guard = createGuard({ privateNetworks: ['127.0.0.1'] })
  const clock = { ...bench.clock, after: () => () => {} }
  const transport = createTransport({ clock, places: openPlaces(), guard })
  const sessions = createVtnSessions({ transport, seal, clock })
  const found = await checkVtn(program, () => sessions.open(program), bench.clock)
  return { ...found, worst: found.steps.find(({ state }) => state === 'failed' || state === 'warning') }
}

function listen(server: ReturnType<typeof createPlain> | ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
const answers =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)

test('a check names the reports that events ask for and that are not sent', async () => {
  const bench = await openBench()
  const reportDescriptors = ['STORAGE_CHARGE_LEVEL', 'DEMAND'].map((payloadType) => ({ payloadType }))
  bench.vtn.addEvent(bench.event(0, 15, [10], { reportDescriptors }))
  const { ok, steps } = await check(bench)
  expect(ok).toBe(true)
  expect(steps.find(({ step }) => step === 'reports')).toMatchObject({
    state: 'warning',
    message: 'events ask for STORAGE_CHARGE_LEVEL, which we have no values for and do not send',
    ask: 'Do you need STORAGE_CHARGE_LEVEL?',
  })
})

describe('a check of a VTN that', () => {
  test.each([
    ['answers web pages', { answersHtml: true }, 'programs', /a web page/, /base URL of the API/],
    ['takes no token of its server', { requestsPerToken: 0 }, 'programs', /401/, /accept tokens of this authorization/],
    ['gives no tokens', { hasNoTokenEndpoint: true }, 'token', /501/, /the token URL/],
    ['is down', { isDown: true }, 'token', /does not answer/, /Is the VTN up/],
    ['asks for pauses', { retryAfter: '60' }, 'token', /429/, /How often|have a problem/],
    ['has another time', { clockAheadMs: 90_000 }, 'clock', /differs by (89|90) s/, /synchronize its clock/],
  ] as const)('%s says what to ask its operator', async (_name, faults, step, message, ask) => {
    const bench = await openBench()
    Object.assign(bench.vtn.faults, faults)
    const { worst } = await check(bench)
    expect(worst).toMatchObject({
      ...{ step, message: expect.stringMatching(message), ask: expect.stringMatching(ask) },
    })
  })

  test('does not know our secret, or our program, says so', async () => {
    const bench = await openBench()
    const { worst } = await check(bench, {}, 'another secret')
    expect(worst).toMatchObject({ step: 'token', message: expect.stringContaining('invalid_client') })
    expect(worst?.ask).toMatch(/Are our client id and secret right/)
    const other = await check(bench, { programNames: ['Flexibilty'] })
    expect(other.worst).toMatchObject({ step: 'programs', message: expect.stringContaining('it shows Flexibility') })
  })

  test.each([
    [
      400,
      '{"error":"invalid_scope","error_description":"ask for read_all"}',
      /ask for read_all/,
      /Which scope.*we send no scope/,
    ],
    [400, '{"error":"unauthorized_client"}', /unauthorized_client/, /client_credentials/],
    [404, '<html>', /404/, /What are the base URL of the API and the token URL/],
    [500, 'oops', /500/, /have a problem at present/],
  ])('has an authorization server that answers %s %s says what it said', async (status, body, message, ask) => {
    const bench = await openBench()
    const port = await listen(createPlain(answers(status, body)))
    const { worst } = await check(bench, { tokenUrl: `http://127.0.0.1:${port}/token` })
    expect(worst).toMatchObject({ step: 'token', message: expect.stringMatching(message) })
    expect(worst?.ask).toMatch(ask)
  })

  test('wants a scope that our token does not have names it', async () => {
    const bench = await openBench()
    const challenge = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="read_all write_reports"' }
    const port = await listen(createPlain(answers(403, '{}', challenge)))
    const { worst } = await check(bench, { vtnUrl: `http://127.0.0.1:${port}`, tokenUrl: bench.vtn.tokenUrl })
    expect(worst).toMatchObject({ step: 'programs', ask: expect.stringContaining('read_all write_reports') })
  })

  test('has a certificate that nobody trusts, no TLS, or nothing at its port says which', async () => {
    const bench = await openBench()
    const [secure, plain] = [await listen(createServer(makeCertificate())), await listen(createPlain(answers(200, '')))]
    const gone = createPlain()
    const port = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    for (const [at, message, ask] of [
      [secure, /not signed by an authority/, /certificate of a public authority/],
      [plain, /does not speak TLS/, /At which port does the VTN have https/],
      [port, /nothing listens there/, /what is its port/],
    ] as const) {
      const { worst } = await check(bench, { vtnUrl: `https://127.0.0.1:${at}` })
      expect(worst).toMatchObject({ step: 'token', message: expect.stringMatching(message) })
      expect(worst?.ask).toMatch(ask)
    }
  })
})
