import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../broker/testing/certificate.ts'
import { whoAnswers } from './own-service.ts'

async function serve(listener: RequestListener, tls?: { cert: Buffer; key: Buffer }): Promise<string> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const saying =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body)

describe('who answers at the address of a service', () => {
  test.each([
    ['{"status":"ok","instance":"mine"}', 'ours'],
    ['{"status":"ok","instance":"theirs"}', 'another Plantroom'],
    // Waits for its database, and no process of this folder has had it yet.
    ['{"status":"ok","instance":""}', 'another Plantroom'],
    ['{"status":"ok"}', 'another program'],
    ['ok', 'another program'],
    ['null', 'another program'],
    ['x'.repeat(20_000), 'another program'],
  ])('by %.40s is %s', async (body, answerer) => {
    expect(await whoAnswers(await serve(saying(body)), { instance: 'mine' })).toBe(answerer)
  })

  test('is nothing, or a stranger, without an id to compare', async () => {
    expect(await whoAnswers('http://127.0.0.1:1', { instance: 'mine' })).toBe('nothing')
    const url = await serve(saying('{"status":"ok","instance":"mine"}'))
    expect(await whoAnswers(url, { instance: undefined })).toBe('another Plantroom')
  })

  test('is ours with our certificate only', async () => {
    const [own, other] = [makeCertificate(), makeCertificate()]
    const url = await serve(saying('{"status":"ok","instance":"mine"}'), own)
    expect(await whoAnswers(url, { instance: 'mine', certificate: own.cert })).toBe('ours')
    expect(await whoAnswers(url, { instance: 'mine', certificate: other.cert })).toBe('another program')
    expect(await whoAnswers(url.replace('https', 'http'), { instance: 'mine' })).toBe('nothing')
  })
})
