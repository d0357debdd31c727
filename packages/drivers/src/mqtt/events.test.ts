import { once } from 'node:events'
import { createServer } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCountingListener } from '../testing/counting-listener.ts'
import { createMqttProtocol } from './driver.ts'
import { connectionOf, never, type Points } from './testing/bench.ts'
import { BROKERS, type BrokerKind, type BrokerOptions, startAedes } from './testing/brokers.ts'
import { startGateway } from './testing/gateway.ts'

const FLOW = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set' }
const room = (name: string) => ({ stateTopic: `hp/${name}`, accessType: 'READ' })

function connect(port: number, points: Points = { flow: FLOW }, settings: Record<string, unknown> = {}) {
  const clock = createManualClock()
  const events = createCountingListener()
  const url = `mqtt://127.0.0.1:${port}`
  const driver = createMqttProtocol({ clock }).connect(connectionOf(points, { url, ...settings }), events)
  onTestFinished(() => driver.close())
  return { clock, driver, events }
}

async function start(kind: BrokerKind, settings?: Record<string, unknown>, options?: BrokerOptions) {
  const broker = await kind.start(options)
  const gateway = await startGateway(broker)
  onTestFinished(async () => {
    await gateway.stop()
    await broker.stop()
  })
  return { gateway, ...connect(gateway.port, undefined, settings) }
}

describe.each(BROKERS)('with $name', (kind) => {
  describe.skipIf(kind.missing)('the listener receives', () => {
    test('one timeout and the reason for the loss when a command is not acknowledged in time', async () => {
      const { gateway, driver, clock, events } = await start(kind, { timeoutMs: 800 })
      await driver.open(never)
      gateway.silence()
      const writing = expect(driver.write('flow', 25)).rejects.toThrow('did not acknowledge a command within 800 ms')
      await eventually(() => expect(clock.waiting()).toContain(800))
      await clock.advance(800)
      await writing
      expect(events).toMatchObject({ timeouts: 1, exceptions: 0 })
      expect(events.losses).toEqual([expect.stringContaining('did not acknowledge a command')])
    })

    test('one timeout when the broker does not answer a ping', async () => {
      const { gateway, driver, clock, events } = await start(kind, { keepAliveSeconds: 10 })
      await driver.open(never)
      gateway.silence()
      await clock.advance(15_000)
      expect(events).toMatchObject({ timeouts: 1, exceptions: 0 })
      expect(events.losses).toEqual([expect.stringContaining('Keepalive timeout')])
    })

    test('an exception each time the broker refuses the login', async () => {
      const credential = { username: 'edge', password: 'right' }
      const { driver, events } = await start(kind, { username: 'edge', password: 'wrong' }, { credential })
      for (const attempt of [1, 2]) {
        await expect(driver.open(never)).rejects.toThrow('Connection refused')
        expect(events).toMatchObject({ timeouts: 0, exceptions: attempt, losses: [] })
      }
    })

    test('a loss as soon as the broker closes the link, and none when the driver does', async () => {
      const { gateway, driver, events } = await start(kind)
      await driver.open(never)
      await driver.close()
      await driver.open(never)
      expect(events.losses).toEqual([])
      gateway.drop()
      await eventually(() =>
        expect(events.losses).toEqual([`the broker at 127.0.0.1:${gateway.port} ended the connection`]),
      )
      expect(events).toMatchObject({ timeouts: 0, exceptions: 0 })
    })
  })
})

test('the listener receives an exception for each topic that the broker refuses', async () => {
  const broker = await startAedes({}, ['hp/secret', 'hp/hidden'])
  onTestFinished(() => broker.stop())
  const { driver, events } = connect(broker.port, { flow: FLOW, secret: room('secret'), hidden: room('hidden') })
  await driver.open(never)
  expect(events).toMatchObject({ timeouts: 0, exceptions: 2, losses: [] })
})

test('the listener receives a timeout for a broker that accepts the connection and sends nothing', async () => {
  const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { driver, clock, events } = connect((server.address() as { port: number }).port, undefined, { timeoutMs: 700 })
  const opening = expect(driver.open(never)).rejects.toThrow('did not accept the connection within 700 ms')
  await eventually(() => expect(clock.waiting()).toEqual([700]))
  await clock.advance(700)
  await opening
  expect(events).toMatchObject({ timeouts: 1, exceptions: 0, losses: [] })
})

test('the listener receives nothing for silent equipment behind a working broker', async () => {
  const broker = await startAedes()
  onTestFinished(() => broker.stop())
  const { driver, clock, events } = connect(broker.port)
  await driver.open(never)
  await driver.write('flow', 25)
  const reading = driver.read(['flow'], { urgent: true })
  await eventually(() => expect(clock.waiting()).toContain(2000))
  await clock.advance(2000)
  expect(await reading).toEqual([{ error: 'no state received yet' }])
  expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
})
