import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { connect as dialTls } from 'node:tls'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from './testing/certificate.ts'
import { connectAs, ended, joinAs, OTHER, OURS } from './testing/devices.ts'
import { startBroker, type TestBroker } from './testing/embedded.ts'

const CONNECT = 0x10
/** 200 MB in the encoding of MQTT. */
const LENGTH_200_MB = [0x80, 0x80, 0x80, 0x64]
const CHUNK = Buffer.alloc(64 * 1024)
const REPLY = topics.reply(OURS, 'cloud_1', '1', 'ok')

async function openSocket({ broker }: Pick<TestBroker, 'broker'>): Promise<Socket> {
  const socket = dial(broker.port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket.resume(), 'close'))

/** Resolves when the frame guard has dropped the connection; without the guard, the connect timeout would. */
async function droppedByGuard({ logged }: TestBroker, socket: Socket): Promise<void> {
  await closed(socket)
  expect(logged.join('')).toContain('oversized MQTT frame: connection dropped')
}

describe('a client that declares a CONNECT of 200 MB', () => {
  test('is dropped after the declaration alone', async () => {
    const test = await startBroker()
    const socket = await openSocket(test)
    socket.write(Buffer.from([CONNECT, ...LENGTH_200_MB]))
    await droppedByGuard(test, socket)
  })

  test('is dropped when the length arrives byte by byte', async () => {
    const test = await startBroker()
    const socket = await openSocket(test)
    socket.setNoDelay(true)
    for (const byte of [CONNECT, ...LENGTH_200_MB]) socket.write(Buffer.from([byte]))
    await droppedByGuard(test, socket)
  })

  test('can send no more than the socket buffers hold', async () => {
    const test = await startBroker()
    const socket = await openSocket(test)
    socket.write(Buffer.from([CONNECT, ...LENGTH_200_MB]))
    const MOST = 1_000
    let written = 0
    while (written < MOST && !socket.destroyed) {
      if (!socket.write(CHUNK)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
      written += 1
    }
    await droppedByGuard(test, socket)
    expect(written).toBeLessThan(MOST)
  })
})

describe('a client with a CONNECT above its limit', () => {
  test('is dropped even with a valid secret, before the secret is checked', async () => {
    const checked: string[] = []
    const authenticate = (deviceId: string) => checked.push(deviceId) > 0
    const test = await startBroker({ authenticate })
    const will = { topic: topics.status(OURS), payload: Buffer.alloc(5_000), qos: 1 as const, retain: true }
    await expect(connectAs(test.url, OURS, { will })).rejects.toThrow()
    expect(test.logged.join('')).toContain('oversized MQTT frame: connection dropped')
    expect(checked).toEqual([])
    expect(test.received).toEqual([])
  })
})

describe('an unknown client', () => {
  test.each([
    ['speaks HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    [
      'speaks TLS to a port without it',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    ],
    ['publishes before it connects', Buffer.from([0x30, 0x03, 0x00, 0x01, 0x61])],
    ['sends a length of five bytes', Buffer.from([CONNECT, 0x80, 0x80, 0x80, 0x80, 0x01])],
    ['sends a CONNECT that ends too early', Buffer.from([CONNECT, 0x02, 0x00, 0x04])],
  ])('that %s is dropped without affecting devices', async (_what, bytes) => {
    const test = await startBroker()
    const device = await joinAs(test.url, OURS)
    const socket = await openSocket(test)
    socket.write(bytes)
    await closed(socket)
    device.publish(REPLY, 'still served')
    await eventually(() => expect(test.received).toEqual([{ topic: REPLY, text: 'still served' }]))
  })

  test('that sends any bytes does not affect devices', async () => {
    const test = await startBroker()
    const device = await joinAs(test.url, OURS)
    const frame = fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 100 }))
      .map(([type, body]) => Buffer.from([type, body.length, ...body]))
    const bytes = fc.oneof(
      fc.uint8Array().map((noise) => Buffer.from(noise)),
      fc.array(frame, { maxLength: 5 }).map((frames) => Buffer.concat(frames)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const socket = await openSocket(test)
        socket.end(sent)
        await closed(socket)
      }),
    )
    device.publish(REPLY, 'still served')
    await eventually(() => expect(test.received).toEqual([{ topic: REPLY, text: 'still served' }]))
  })

  // The deadline is shorter than the connect timeout of the broker.
  test('that sends nothing does not delay closing the broker', { timeout: 8_000 }, async () => {
    const test = await startBroker()
    const socket = await openSocket(test)
    await test.broker.close()
    await closed(socket)
  })
})

describe('an authenticated device', () => {
  test('may send a message of the maximum size', async () => {
    const { url, received } = await startBroker()
    const device = await connectAs(url, OURS)
    // The topic takes two bytes more than its length.
    const text = 'x'.repeat(MAX_MESSAGE_BYTES - REPLY.length - 2)
    await device.publishAsync(REPLY, text)
    await eventually(() => expect(received).toHaveLength(1))
    expect(received[0]?.text === text).toBe(true)
  })

  test('is dropped when it sends a larger message, and the cloud receives nothing', async () => {
    const { url, received } = await startBroker()
    const device = await connectAs(url, OURS)
    const other = await connectAs(url, OTHER)
    device.publish(REPLY, 'x'.repeat(MAX_MESSAGE_BYTES - REPLY.length - 1))
    await ended(device)
    await other.publishAsync(topics.askTime(OTHER, '1'), '')
    await eventually(() => expect(received).toEqual([{ topic: topics.askTime(OTHER, '1'), text: '' }]))
  })
})

describe('a broker with TLS', () => {
  test('serves devices that trust its certificate', async () => {
    const tls = makeCertificate()
    const { broker, url, received } = await startBroker({ tls })
    const device = await joinAs(url, OURS, { ca: tls.cert })
    await device.publishAsync(REPLY, 'encrypted')
    await eventually(() => expect(received).toEqual([{ topic: REPLY, text: 'encrypted' }]))
    broker.disconnect(OURS)
    await ended(device)
  })

  test('is rejected by devices that do not trust it', async () => {
    const { url } = await startBroker({ tls: makeCertificate() })
    await expect(connectAs(url, OURS)).rejects.toThrow(/self-signed certificate/)
  })

  test('drops a client that declares 200 MB inside the encryption', async () => {
    const test = await startBroker({ tls: makeCertificate() })
    const socket = dialTls({ port: test.broker.port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    socket.write(Buffer.from([CONNECT, ...LENGTH_200_MB]))
    await droppedByGuard(test, socket)
  })

  test('survives clients that do not speak it, which do not delay closing', async () => {
    const tls = makeCertificate()
    const test = await startBroker({ tls })
    const [silent, plain] = [await openSocket(test), await openSocket(test)]
    plain.write('this is not TLS')
    await closed(plain)
    expect((await joinAs(test.url, OURS, { ca: tls.cert })).connected).toBe(true)
    await test.broker.close()
    await closed(silent)
  })
})

describe('a port that is taken', () => {
  test('is reported with a remedy', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const failure = await startBroker({ port }).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.kind).toBe('unavailable')
    expect(failure.message).toBe(
      `port ${port} on 127.0.0.1 is taken (broker): stop the program that uses it or set PLANTROOM_MQTT_PORT (0 picks a free one)`,
    )
  })
})
