import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { connectAsync } from 'mqtt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMosquitto, withoutMosquitto } from '../../platform/broker/testing/mosquitto.ts'
import { createGuard } from '../../platform/outbound/index.ts'
import { runDue, timeOf } from '../../platform/work/index.ts'
import { listenAtBroker } from './listen-at-broker.ts'
import { callbackUrl } from './notify-route.ts'
import { createPollStore } from './poll-store.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')
const HERE = 'http://127.0.0.1:1'
const TEN_MINUTES = 600_000
type Bench = Awaited<ReturnType<typeof openBench>>

/** In how many milliseconds the VTN is asked again. */
async function dueIn({ db, clock }: Bench): Promise<number> {
  const { poll_at } = await db.selectFrom('openadr_program').select('poll_at').executeTakeFirstOrThrow()
  return poll_at.getTime() - clock.now()
}
async function tokenOf({ store, programId }: Bench): Promise<string> {
  return (await store.read('org', programId))?.notifyToken ?? ''
}
const addressesAt = ({ vtn }: Bench) =>
  vtn.subscriptions
    .list()
    .flatMap(({ objectOperations }) => (objectOperations as { callbackUrl: string }[]).map((one) => one.callbackUrl))
/** Registers again: the VTN is asked about more than events. */
async function registerAgain(bench: Bench, worker = bench.worker): Promise<void> {
  bench.clock.step(TEN_MINUTES + 1)
  await bench.poll(worker)
}

describe.each(['3.0', '3.1'] as const)('a VTN of %s with webhooks', (version) => {
  test('gets one subscription for each program, which follows the address of the service', async () => {
    const profile = version === '3.0' ? 'alliance-3.0' : 'alliance-3.1'
    const bench = await openBench({ version, profile, baseUrl: HERE })
    const own = callbackUrl(HERE, await tokenOf(bench))
    await bench.poll()
    await registerAgain(bench)
    expect(addressesAt(bench)).toEqual([own])
    expect(await bench.state()).toMatchObject({ notifications: 'webhook', notificationProblem: null, problem: null })
    // It was lost at the VTN.
    const [lost] = bench.vtn.subscriptions.list()
    bench.vtn.subscriptions.remove(lost?.id ?? '')
    await registerAgain(bench)
    expect(addressesAt(bench)).toEqual([own])
    const moved = 'http://127.0.0.1:2'
    await registerAgain(bench, bench.startWorker({ baseUrl: moved }))
    expect(addressesAt(bench)).toEqual([callbackUrl(moved, await tokenOf(bench))])
  })
})

describe('a subscription', () => {
  test('that is refused with our address shows no part of it that is a secret', async () => {
    const bench = await openBench({ baseUrl: HERE })
    const secret = await tokenOf(bench)
    bench.vtn.faults.lacks = ['subscriptions']
    bench.vtn.faults.distort = (body, path) =>
      path === 'subscriptions' ? { title: 'Refused', detail: `cannot call ${callbackUrl(HERE, secret)}` } : body
    await bench.poll()
    const state = await bench.state()
    expect(state?.notificationProblem).toContain('Refused: cannot call http')
    expect(JSON.stringify(state)).not.toContain(secret)
  })

  test('whose answer was lost is found, and not made again', async () => {
    const bench = await openBench({ baseUrl: HERE })
    const operation = {
      objects: ['EVENT'],
      operations: ['CREATE'],
      callbackUrl: callbackUrl(HERE, await tokenOf(bench)),
    }
    bench.vtn.subscriptions.add({ clientName: 'us', programID: bench.program.id, objectOperations: [operation] })
    await bench.poll()
    expect(bench.vtn.subscriptions.list()).toHaveLength(1)
  })

  test.each([
    ['that the VTN refuses', HERE, ['subscriptions'], /501/],
    ['of a service whose address is not known', undefined, [], /PLANTROOM_PUBLIC_URL/],
    ['that would send the secret without encryption', 'http://plantroom.example', [], /PLANTROOM_PUBLIC_URL/],
  ])('%s leaves the VTN polled, and says why', async (_name, baseUrl, lacks, words) => {
    const bench = await openBench(baseUrl === undefined ? {} : { baseUrl })
    bench.vtn.faults.lacks = lacks
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.poll()
    expect(bench.held().map(({ value }) => value)).toEqual([10])
    expect(bench.vtn.subscriptions.list()).toEqual([])
    expect(await bench.state()).toMatchObject({
      ...{ state: 'connected', notifications: null, problem: null },
      notificationProblem: expect.stringMatching(words),
    })
  })
})

describe('announcements without end', () => {
  test.each([
    ['wake a few times a second', false, 250],
    ['wake a failing VTN every 5 seconds', true, 5_000],
  ])('%s', async (_name, isDown, pauseMs) => {
    const bench = await openBench()
    bench.vtn.faults.isDown = isDown
    await bench.wakeAt(bench.clock.now())
    await runDue({ ...bench, log }, bench.worker)
    const by = { notifyToken: await tokenOf(bench) }
    for (let count = 0; count < 20; count += 1) await createPollStore(bench.db).announce(by, timeOf(bench.clock))
    expect(await dueIn(bench)).toBe(pauseMs)
    bench.clock.step(pauseMs + 1)
    await createPollStore(bench.db).announce(by, timeOf(bench.clock))
    expect(await dueIn(bench)).toBeLessThanOrEqual(0)
  })

  test('of a program that is paused wake nothing', async () => {
    const bench = await openBench()
    await bench.db.updateTable('openadr_program').set({ active: false }).execute()
    expect(await createPollStore(bench.db).announce({ id: bench.programId }, timeOf(bench.clock))).toBe(false)
  })
})

describe.skipIf(withoutMosquitto)('a VTN with a broker', () => {
  async function openWithBroker() {
    const broker = await startMosquitto({ isOpen: true })
    const vtnClient = await connectAsync(broker.url, { reconnectPeriod: 100 })
    onTestFinished(() => vtnClient.endAsync(true))
    const publish = (topic: string, body: unknown) => void vtnClient.publish(topic, JSON.stringify(body))
    const bench = await openBench({ mqtt: { mqttUrl: broker.url, publish } })
    const announced = () => eventually(async () => expect(await dueIn(bench)).toBeLessThanOrEqual(250))
    /** Does what is due after an announcement, until nothing is. */
    const carryOn = () =>
      eventually(async () => {
        await bench.clock.advance(251)
        await runDue({ ...bench, log }, bench.worker)
        await bench.settle()
        expect(await dueIn(bench)).toBeGreaterThan(1_000)
      })
    await eventually(async () => {
      await bench.poll()
      expect(await bench.state()).toMatchObject({ notifications: 'mqtt' })
    })
    // It looks at what it may have missed before it listened.
    await carryOn()
    return { ...bench, broker, vtnClient, announced, carryOn }
  }
  const heldBy = (bench: Bench) => bench.held().map(({ value }) => value)

  test('wakes the poll for each change, at the topics that it names', async () => {
    const bench = await openWithBroker()
    const { id } = bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.announced()
    await bench.carryOn()
    expect(heldBy(bench)).toEqual([10])
    bench.vtn.events.remove(id)
    await bench.announced()
    await bench.carryOn()
    expect(heldBy(bench)).toEqual([])
  })

  test('is listened to again after its broker died, and what was missed is found', async () => {
    const bench = await openWithBroker()
    await bench.broker.kill()
    bench.vtn.events.add(bench.event(-5, 30, [10]))
    await bench.broker.start()
    await eventually(async () => {
      await bench.clock.advance(1_000)
      await runDue({ ...bench, log }, bench.worker)
      expect(await bench.state()).toMatchObject({ notifications: 'mqtt' })
    })
    await bench.settle()
    expect(heldBy(bench)).toEqual([10])
  })

  test('is asked a few times a second at most, and a packet that is too long counts as an announcement', async () => {
    const bench = await openWithBroker()
    const { length } = bench.vtn.requests
    const topic = `vtn/programs/${bench.program.id}/events/update`
    for (let count = 0; count < 500; count += 1) bench.vtnClient.publish(topic, 'anything')
    await bench.announced()
    expect(bench.vtn.requests).toHaveLength(length)
    await bench.carryOn()
    bench.vtnClient.publish(topic, Buffer.alloc(2 * 1024 * 1024))
    await bench.announced()
  })
})

test.each(['mqtts://10.1.2.3', 'mqtt://broker.example', 'mqtts://[::1]'])(
  'the service does not connect to %s',
  async (url) => {
    const guard = createGuard({ privateNetworks: [], resolve: async () => ['10.1.2.3'] })
    const { signal } = new AbortController()
    const listening = listenAtBroker(
      { url, username: null, topics: ['a'] },
      { guard, token: async () => undefined, signal },
      { connected: () => expect.unreachable(), announced: () => expect.unreachable() },
    )
    await expect(listening).rejects.toThrow(/public address|use https/)
  },
)
