import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { watchTraffic } from '@plantroom/testkit/watch-traffic'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { createMqttProtocol } from './driver.ts'
import { type Bench, connectionOf, never, startBench } from './testing/bench.ts'
import { BROKERS, type BrokerKind, type BrokerOptions, startAedes } from './testing/brokers.ts'
import { makeCertificate } from './testing/certificate.ts'

const FLOW = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set', path: 'value' }
const ONE = { flow: FLOW }
const CREDENTIAL = { username: 'edge', password: 'hidden secret' }

async function start(kind: BrokerKind, options?: BrokerOptions): Promise<Bench> {
  const bench = await startBench(kind, options)
  onTestFinished(() => bench.stop())
  return bench
}

/** Starts a server that is not a broker, or a broken one. */
async function startServer(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

function driverFor(settings: Record<string, unknown>, points = ONE as object, clock = createManualClock()) {
  const driver = createMqttProtocol({ clock }).connect(connectionOf(points as typeof ONE, settings))
  onTestFinished(() => driver.close())
  return { driver, clock }
}

async function failureOf(opening: Promise<void>): Promise<Failure> {
  const failure = await opening.then(
    () => expect.fail('it was opened'),
    (error) => error,
  )
  expect(failure).toBeInstanceOf(Failure)
  expect(failure.kind).toBe('offline')
  expect(failure.message).toMatch(/^[^\n]+$/)
  expect(failure.message).not.toContain(CREDENTIAL.password)
  return failure
}

const isLost = (driver: Driver, message: string) =>
  eventually(() =>
    expect(driver.read(['flow'])).rejects.toMatchObject({ kind: 'offline', message: expect.stringContaining(message) }),
  )

describe('a broker that cannot be used', () => {
  test.each(['127.0.0.1:1', 'localhost:1'])('is named if nothing listens at %s', async (address) => {
    const { driver } = driverFor({ url: `mqtt://${address}`, ...CREDENTIAL })
    const { message } = await failureOf(driver.open(never))
    expect(message).toContain(`the broker at ${address} cannot be used`)
    expect(message).toContain('ECONNREFUSED')
  })

  test('is named if its host name is unknown', async () => {
    const { driver } = driverFor({ url: 'mqtt://broker.invalid:1883' })
    const { message } = await failureOf(driver.open(never))
    // The second where no name server answers.
    expect(message).toMatch(
      /^the broker at broker\.invalid:1883 is (an unknown host name|a host name that could not be)/,
    )
  })

  test('is named if it closes the connection without an answer', async () => {
    const address = await startServer((socket) => void socket.resume().end())
    const { driver } = driverFor({ url: `mqtt://${address}` })
    expect((await failureOf(driver.open(never))).message).toBe(`the broker at ${address} ended the connection`)
  })

  test.each([
    ['another language', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'cannot be used'],
    ['frames without a length', Buffer.of(0x20, 0xff, 0xff, 0xff, 0xff), 'check that it is an MQTT broker'],
    ['more than we could hold', Buffer.of(0x90, 0xff, 0xff, 0xff, 0x7f), '268435455 bytes that is not a message'],
  ])('is named if it sends %s', async (_, bytes, reason) => {
    const address = await startServer((socket) => void socket.write(bytes))
    const { driver } = driverFor({ url: `mqtt://${address}` })
    const { message } = await failureOf(driver.open(never))
    expect(message).toContain(`the broker at ${address}`)
    expect(message).toContain(reason)
  })

  test('is given up on if it does not answer in time', async () => {
    const address = await startServer(() => {})
    const { driver, clock } = driverFor({ url: `mqtt://${address}`, timeoutMs: 700 })
    const failure = failureOf(driver.open(never))
    await eventually(() => expect(clock.waiting()).toEqual([700]))
    await clock.advance(700)
    expect((await failure).message).toBe(`the broker at ${address} did not accept the connection within 700 ms`)
    expect(clock.waiting()).toEqual([])
  })

  test('is not waited for after opening is cancelled', async () => {
    const address = await startServer(() => {})
    const { driver, clock } = driverFor({ url: `mqtt://${address}` })
    const cancelled = new AbortController()
    const failure = failureOf(driver.open(cancelled.signal))
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
    cancelled.abort()
    expect((await failure).message).toContain('cancelled')
    expect(clock.waiting()).toEqual([])
    expect((await failureOf(driver.open(AbortSignal.abort()))).message).toContain('cancelled')
  })

  test('is not waited for after the driver is closed', async () => {
    const address = await startServer(() => {})
    const { driver, clock } = driverFor({ url: `mqtt://${address}` })
    const failure = failureOf(driver.open(never))
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
    await driver.close()
    expect((await failure).message).toContain('cancelled')
  })
})

describe.each(BROKERS)('the link to $name', (kind) => {
  describe.skipIf(kind.missing)('over the network', () => {
    test('needs the right password, which no message contains', async () => {
      const bench = await start(kind, { credential: CREDENTIAL })
      const { driver } = driverFor({
        url: `mqtt://127.0.0.1:${bench.broker.port}`,
        ...CREDENTIAL,
        password: 'wrong one',
      })
      expect((await failureOf(driver.open(never))).message).toMatch(/Connection refused: (Bad user|Not auth)/)
      await bench.equipment.set('flow', 20)
      const admitted = await bench.open(ONE, CREDENTIAL)
      expect(await admitted.read(['flow'], { urgent: true })).toEqual([{ raw: 20 }])
    })

    test('is encrypted, and accepts only the given authority', async () => {
      const certificate = makeCertificate(temporaryFolder())
      const bench = await start(kind, { certificate })
      await bench.equipment.set('flow', 20)
      const url = `mqtts://127.0.0.1:${bench.gateway.port}`
      const driver = await bench.open(ONE, { url, ca: certificate.certFile })
      await driver.write('flow', 25)
      expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 25 }])

      const stranger = driverFor({ url }).driver
      expect((await failureOf(stranger.open(never))).message).toContain('self-signed certificate')
      const careless = driverFor({ url, ca: '/nowhere.pem' }).driver
      expect((await failureOf(careless.open(never))).message).toContain('settings.ca: the file cannot be read (ENOENT)')
      writeFileSync(certificate.keyFile, 'nothing that vouches for anybody')
      const misled = driverFor({ url, ca: certificate.keyFile }).driver
      expect((await failureOf(misled.open(never))).message).toContain('settings.ca: the file contains no certificate')
      const endless = driverFor({ url, ca: '/dev/zero' }).driver
      expect((await failureOf(endless.open(never))).message).toContain('settings.ca: the path is a device')
      const plain = driverFor({ url: `mqtt://127.0.0.1:${bench.gateway.port}` }).driver
      expect((await failureOf(plain.open(never))).message).toContain('the broker at')
    })

    test('is lost when the broker closes it, and stays lost until it is reopened', async () => {
      const bench = await start(kind)
      await bench.equipment.set('flow', 20)
      const driver = await bench.open(ONE)
      await driver.read(['flow'], { urgent: true })
      bench.gateway.drop()
      await isLost(driver, 'the broker at')
      await expect(driver.write('flow', 25)).rejects.toMatchObject({ kind: 'offline' })
      await bench.clock.advance(60_000)
      expect(bench.gateway.links()).toBe(0)

      bench.gateway.heal()
      await driver.open(never)
      expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 20 }])
      await driver.write('flow', 25)
      expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 25 }])
    })

    test('forgets earlier messages when it is lost', async () => {
      const bench = await start(kind)
      const driver = await bench.open(ONE)
      await bench.equipment.publish('hp/flow', '{"value":20}', { retain: false })
      await eventually(async () => expect(await driver.read(['flow'])).toEqual([{ raw: 20 }]))
      bench.gateway.drop()
      await isLost(driver, 'the broker at')
      bench.gateway.heal()
      await driver.open(never)
      expect(await driver.read(['flow'])).toEqual([{ error: 'no state received yet' }])
    })

    test('is lost when a command is not acknowledged, and does not resend the command', async () => {
      const bench = await start(kind)
      const driver = await bench.open(ONE, { timeoutMs: 800 })
      bench.gateway.silence()
      const writing = expect(driver.write('flow', 25)).rejects.toMatchObject({
        kind: 'offline',
        message: `the broker at 127.0.0.1:${bench.gateway.port} did not acknowledge a command within 800 ms`,
      })
      await eventually(() => expect(bench.clock.waiting()).toContain(800))
      await bench.clock.advance(800)
      await writing
      await isLost(driver, 'did not acknowledge')

      bench.gateway.heal()
      await driver.open(never)
      await driver.write('flow', 26)
      expect(await bench.equipment.received()).toMatchObject({ payload: '{"value":26}' })
    })

    test('rejects all pending writes when one of them loses it', async () => {
      const bench = await start(kind)
      const driver = await bench.open(ONE)
      bench.gateway.silence()
      const writes = Promise.allSettled([1, 2, 3].map((value) => driver.write('flow', value)))
      await eventually(() => expect(bench.clock.waiting().length).toBeGreaterThan(3))
      bench.gateway.drop()
      for (const { status } of await writes) expect(status).toBe('rejected')
    })

    test('is lost when a keep-alive ping gets no answer', async () => {
      const bench = await start(kind)
      await bench.equipment.set('flow', 20)
      const driver = await bench.open(ONE, { keepAliveSeconds: 10 })
      await driver.read(['flow'], { urgent: true })
      bench.gateway.silence()
      await bench.clock.advance(10_000)
      expect(await driver.read(['flow'])).toEqual([{ raw: 20 }])
      await bench.clock.advance(5_000)
      await expect(driver.read(['flow'])).rejects.toMatchObject({ kind: 'offline' })
    })

    test('can be closed repeatedly, and reopened', async () => {
      const bench = await start(kind)
      const driver = await bench.open(ONE)
      await driver.open(never)
      expect(bench.gateway.links()).toBe(1)
      await driver.close()
      await driver.close()
      await eventually(() => expect(bench.gateway.links()).toBe(0))
      expect(bench.clock.waiting()).toEqual([])
      await expect(driver.read(['flow'])).rejects.toMatchObject({ kind: 'offline' })
      await expect(driver.write('flow', 1)).rejects.toMatchObject({ kind: 'offline' })
      await driver.open(never)
      await driver.write('flow', 1)
    })
  })
})

describe('a broker', () => {
  test('that refuses a topic costs only the points on it', async () => {
    const broker = await startAedes({}, ['hp/secret', 'hp/secret/status'])
    onTestFinished(() => broker.stop())
    const { driver } = driverFor(
      { url: `mqtt://127.0.0.1:${broker.port}` },
      {
        flow: FLOW,
        secret: { stateTopic: 'hp/secret', accessType: 'READ' },
        guarded: { stateTopic: 'hp/guarded', availabilityTopic: 'hp/secret/status', accessType: 'READ' },
      },
    )
    await driver.open(never)
    expect(await driver.read(['flow', 'secret', 'guarded'])).toEqual([
      { error: 'no state received yet' },
      { error: 'the broker refused the subscription to hp/secret' },
      { error: 'hp/secret/status: the broker refused the subscription to hp/secret/status' },
    ])
    await driver.write('flow', 1)
  })

  test('receives keep-alive pings even while it sends a lot', async () => {
    const broker = await startAedes()
    onTestFinished(() => broker.stop())
    const traffic = watchTraffic()
    onTestFinished(() => traffic.stop())
    const clock = createManualClock(undefined, traffic.settled)
    const { driver } = driverFor({ url: `mqtt://127.0.0.1:${broker.port}`, keepAliveSeconds: 10 }, ONE, clock)
    await driver.open(never)
    let pings = 0
    broker.aedes.on('ping', () => {
      pings += 1
    })
    for (let value = 0; value < 5; value += 1) {
      broker.aedes.publish(
        { cmd: 'publish', topic: 'hp/flow', payload: `{"value":${value}}`, qos: 0, retain: false, dup: false },
        () => {},
      )
      await eventually(async () => expect(await driver.read(['flow'])).toEqual([{ raw: value }]))
      await clock.advance(5_000)
    }
    await eventually(() => expect(pings).toBeGreaterThan(0))
  })
})

describe('a misconfigured connection', () => {
  test('is rejected with all errors', () => {
    const connection = connectionOf({ flow: {} }, { url: 'mqtt://edge:secret@broker' })
    const protocol = createMqttProtocol({ clock: createManualClock() })
    expect(protocol.check(connection)).toHaveLength(3)
    expect(() => protocol.connect(connection)).toThrow(
      'settings.url: must not contain credentials: set username and password; datapoints[0].data.stateTopic: is missing',
    )
  })
})
