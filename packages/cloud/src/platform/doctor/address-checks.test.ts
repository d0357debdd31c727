import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkProvider, checkTraces } from './address-checks.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const { signal } = new AbortController()

describe('the provider of sign-ins', () => {
  test('is well if it names itself as the settings do', async () => {
    const asked: (string | undefined)[] = []
    const url = await serve((request, response) => {
      asked.push(request.url)
      response.end(JSON.stringify({ issuer: `http://${request.headers.host}/realm` }))
    })
    expect(await checkProvider(`${url}/realm/`, signal)).toMatchObject({ level: 'ok' })
    expect(asked).toEqual(['/realm/.well-known/openid-configuration'])
    expect(await checkProvider(`${url}/other`, signal)).toMatchObject({
      level: 'problem',
      text: `the provider calls itself ${url}/realm`,
    })
  })

  test.each([
    ['no JSON', 200, 'hello'],
    ['nothing', 200, 'null'],
    ['an error', 404, '{}'],
  ])('is a problem if it answers %s', async (_title, status, body) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body))
    expect(await checkProvider(url, signal)).toMatchObject({
      level: 'problem',
      remedy: expect.stringContaining('PLANTROOM_OIDC_ISSUER'),
    })
    expect(await checkProvider('http://127.0.0.1:1', signal)).toMatchObject({ level: 'problem' })
  })
})

describe('the receiver of traces', () => {
  const settings = (endpoint: string) => ({ endpoint, headers: { 'x-key': 'hunter2' }, ratio: 1 })

  test('is well if it takes spans with the headers of the settings, and gets none', async () => {
    const url = await serve(async (request, response) => {
      const isRight = request.url === '/v1/traces' && request.headers['x-key'] === 'hunter2'
      const body = (await request.toArray()).join('')
      response.writeHead(isRight && body === '{"resourceSpans":[]}' ? 200 : 400).end()
    })
    expect(await checkTraces(settings(url), signal)).toMatchObject({ level: 'ok' })
  })

  test('is a problem if it refuses or is away, and the key is not shown', async () => {
    const url = await serve((_request, response) => response.writeHead(404).end())
    for (const endpoint of [url, 'http://127.0.0.1:1', 'http://me:hunter2@127.0.0.1:1']) {
      const finding = await checkTraces(settings(endpoint), signal)
      expect(finding).toMatchObject({ level: 'problem', remedy: expect.stringContaining('4318') })
      expect(JSON.stringify(finding)).not.toContain('hunter2')
    }
  })
})
