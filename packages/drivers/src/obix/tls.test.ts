import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createObixProtocol } from './driver.ts'
import { connectionOf, never } from './testing/bench.ts'
import { selfSigned } from './testing/self-signed.ts'
import { type ObixServer, startObixServer } from './testing/server.ts'

let server: ObixServer
const own = selfSigned()
beforeEach(async () => {
  server = await startObixServer({ supply: { tag: 'real', val: '21.5' } }, own)
})
afterEach(() => server.stop())

function connect(settings: Record<string, unknown>) {
  const protocol = createObixProtocol({ clock: createManualClock() })
  const points = { supply: { href: 'points/supply/' } }
  const driver = protocol.connect(connectionOf(points, { username: 'edge', password: 'secret', ...settings }))
  onTestFinished(() => driver.close())
  return driver
}

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'trusted certificates.pem')
  writeFileSync(file, text)
  return file
}

describe('over TLS', () => {
  test('trusts a server whose certificate is in the given file', async () => {
    const driver = connect({ url: server.url, ca: fileWith(own.cert) })
    await driver.open(never)
    expect(await driver.read(['supply'])).toEqual([{ raw: 21.5 }])
  })

  test.each<[string, () => Record<string, unknown>]>([
    ['no file', () => ({})],
    ['the file of another', () => ({ ca: fileWith(selfSigned().cert) })],
  ])('sends nothing to an untrusted server, with %s', async (_, trust) => {
    await expect(connect({ url: server.url, ...trust() }).open(never)).rejects.toThrow(
      'has an untrusted certificate: set ca to a file with this certificate or its issuer',
    )
    expect(server.requests).toEqual([])
  })

  test('requires a certificate for the name in the address', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost')
    await expect(connect({ url, ca: fileWith(own.cert) }).open(never)).rejects.toThrow(
      'has a certificate for another name',
    )
    expect(server.requests).toEqual([])
  })

  test('reports a file that cannot be read or contains no certificate', async () => {
    const nowhere = join(temporaryFolder(), 'nothing.pem')
    for (const ca of [nowhere, fileWith(''), '/dev/zero', temporaryFolder()]) {
      await expect(connect({ url: server.url, ca }).open(never)).rejects.toMatchObject({
        kind: 'offline',
        message: expect.stringMatching(/^settings\.ca: the (file|path) .+$/),
      })
    }
    expect(server.requests).toEqual([])
  })

  test('does not fall back to plain HTTP', async () => {
    const plain = await startObixServer()
    onTestFinished(() => plain.stop())
    const url = plain.url.replace('http:', 'https:')
    await expect(connect({ url }).open(never)).rejects.toThrow('uses an incompatible version of TLS, or none')
    expect(plain.requests).toEqual([])
  })
})
