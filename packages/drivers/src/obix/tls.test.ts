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
  test('a server is trusted whose certificate is in the file that was named', async () => {
    const driver = connect({ url: server.url, ca: fileWith(own.cert) })
    await driver.open(never)
    expect(await driver.read(['supply'])).toEqual([{ raw: 21.5 }])
  })

  test.each<[string, () => Record<string, unknown>]>([
    ['no file', () => ({})],
    ['the file of another', () => ({ ca: fileWith(selfSigned().cert) })],
  ])('a server that nobody vouches for hears nothing of us, with %s', async (_, trust) => {
    await expect(connect({ url: server.url, ...trust() }).open(never)).rejects.toThrow(
      'shows a certificate that is not trusted: name a file that holds it, or its issuer, as ca',
    )
    expect(server.requests).toEqual([])
  })

  test('a certificate must have been made for the name in the address', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost')
    await expect(connect({ url, ca: fileWith(own.cert) }).open(never)).rejects.toThrow(
      'shows a certificate that was made for another name',
    )
    expect(server.requests).toEqual([])
  })

  test('a file that cannot be read, or holds no certificate, is named as the cause', async () => {
    const nowhere = join(temporaryFolder(), 'nothing.pem')
    for (const ca of [nowhere, fileWith(''), '/dev/zero', temporaryFolder()]) {
      await expect(connect({ url: server.url, ca }).open(never)).rejects.toMatchObject({
        kind: 'offline',
        message: expect.stringMatching(/^settings\.ca: the (file|path) .+$/),
      })
    }
    expect(server.requests).toEqual([])
  })

  test('a server without TLS is not spoken to in the open', async () => {
    const plain = await startObixServer()
    onTestFinished(() => plain.stop())
    const url = plain.url.replace('http:', 'https:')
    await expect(connect({ url }).open(never)).rejects.toThrow('does not speak TLS as we do')
    expect(plain.requests).toEqual([])
  })
})
