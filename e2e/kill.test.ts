import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { faultyEquipment } from './support/faulty-equipment.ts'
import { reportsOf } from './support/override-reports.ts'
import { writeSetpoints } from './support/override-setpoints.ts'
import { FAULTY } from './support/programs.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const POWER = 'Charge power'
const PLAIN = { 'Charge power': 5, 'Charge power limit': 50, 'Discharge reserve': 10 }

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack({ edgeProgram: FAULTY.edge })
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const isFree = () =>
  eventually(async () => expect(await dispatcher.live(POWER)).toEqual({ value: 5, timestamp: expect.any(String) }))

/**
 * Calls `place` with a number of milliseconds, and kills the controller before they have passed. A machine that was too slow
 * gets twice as many.
 */
async function killedWithin(ms: number, place: (ms: number) => Promise<string>): Promise<{ id: string; at: number }> {
  const at = Date.now() + ms
  const id = await place(ms)
  await stack.edge.kill()
  if (Date.now() < at) return { id, at }
  await stack.edge.start()
  await eventually(() => dispatcher.cancel(id))
  await dispatcher.registerBecomes(POWER, 5)
  return await killedWithin(2 * ms, place)
}

describe('a controller that was killed', () => {
  test('during an override resumes it and reports nothing twice', async () => {
    await isFree()
    const id = await dispatcher.hold(POWER, 31, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 31)
    await stack.edge.kill()
    // The equipment loses its setpoint while the controller is down.
    await writeSetpoints(stack.equipment, { ...PLAIN, [POWER]: -3 })
    await stack.edge.start()
    await dispatcher.registerBecomes(POWER, 31)
    await eventually(async () => expect(await dispatcher.live(POWER)).toMatchObject({ lockedBy: 'demand-response' }))
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, 5)
    expect(await dispatcher.reportsOn(id, 2)).toMatchObject([
      { phase: 'applied', reason: 'window', valueBefore: 5, value: 31 },
      { phase: 'released', reason: 'cancelled', value: 5 },
    ])
  })

  test('and restarts after the end of an override releases the equipment and reports it', async () => {
    await isFree()
    const { id, at: to } = await killedWithin(4_000, async (ms) => {
      const placed = await dispatcher.hold(POWER, 32, { to: ms })
      await dispatcher.registerBecomes(POWER, 32)
      return placed
    })
    await eventually(() => expect(Date.now()).toBeGreaterThan(to))
    expect(await dispatcher.register(POWER), 'no controller is there to release it').toBe(32)
    await stack.edge.start()
    await dispatcher.registerBecomes(POWER, 5)
    await isFree()
    expect(await dispatcher.reportsOn(id, 2)).toMatchObject([
      { phase: 'applied', reason: 'window' },
      { phase: 'released', reason: 'restart', value: 5, readBack: 5 },
    ])
    await dispatcher.cancel(id)
  })

  test.runIf(isCampaign)('while an override was queued applies it, even if its start passed meanwhile', async () => {
    await isFree()
    const { id, at: from } = await killedWithin(2_500, (ms) => dispatcher.hold(POWER, 33, { from: ms, to: HOUR }))
    await eventually(() => expect(Date.now()).toBeGreaterThan(from))
    expect(await dispatcher.register(POWER)).toBe(5)
    await stack.edge.start()
    await dispatcher.registerBecomes(POWER, 33)
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, 5)
    await dispatcher.reportsOn(id, 2)
  })

  test.runIf(isCampaign)(
    'never applies an override that started and ended meanwhile, and closes it in the audit',
    async () => {
      await isFree()
      const place = (ms: number) => dispatcher.hold(POWER, 35, { from: ms, to: ms + 500 })
      const { id, at: from } = await killedWithin(2_500, place)
      await eventually(() => expect(Date.now()).toBeGreaterThan(from + 1_000))
      await stack.edge.start()
      const next = await eventually(() => dispatcher.hold(POWER, 36, { to: HOUR }))
      await dispatcher.registerBecomes(POWER, 36)
      await dispatcher.cancel(next)
      await dispatcher.registerBecomes(POWER, 5)
      expect(await dispatcher.reportsOn(next, 2)).toMatchObject([{ valueBefore: 5 }, { value: 5 }])
      expect(await dispatcher.reportsOn(id, 1)).toMatchObject([{ phase: 'released', reason: 'restart', value: null }])
    },
  )

  test('recognizes a repeated reqId: it gives the same answer and places no second override', async () => {
    await isFree()
    const reqId = crypto.randomUUID()
    const from = Date.now()
    const wanted = { datapointId: stack.datapointId(POWER), value: 37, from, to: from + HOUR }
    const { id } = (await stack.partner.override(wanted, reqId)).body.data
    await stack.edge.kill()
    await stack.edge.start()
    const again = await eventually(async () => {
      const answer = await stack.partner.override(wanted, reqId)
      expect(answer.status).not.toBe(502)
      return answer
    })
    expect(again.body).toEqual({ reqId, data: { id } })
    expect((await stack.partner.override({ ...wanted, value: 38 }, reqId)).status).toBe(499)
    await dispatcher.registerBecomes(POWER, 37)
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, 5)
    await isFree()
    await dispatcher.reportsOn(id, 2)
  })

  test('right after it stored a cancel releases the datapoint when it restarts', async () => {
    await isFree()
    const id = await dispatcher.hold(POWER, 39, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 39)
    await eventually(async () => expect(await dispatcher.live(POWER)).toMatchObject({ lockedBy: 'demand-response' }))
    stack.edge.send({ crashAt: 'write:before:1' })
    const reqId = crypto.randomUUID()
    await stack.partner.cancel(id, reqId)
    await stack.edge.ended
    expect(await dispatcher.register(POWER)).toBe(39)
    await stack.edge.start()
    await dispatcher.registerBecomes(POWER, 5)
    await eventually(async () => expect((await stack.partner.cancel(id, reqId)).status).toBe(200))
    expect(await dispatcher.reportsOn(id, 2)).toMatchObject([
      { phase: 'applied' },
      { phase: 'released', reason: 'cancelled' },
    ])
  })
})

describe('a controller that is killed during commissioning', () => {
  const [BEFORE, AFTER] = [10, 20]

  test.each(['flush:before:1', 'flush:after:1', 'write:before:1', 'write:after:1'])(
    'at %s writes to the old address or the new one, never both, and restores it',
    async (point) => {
      await using equipment = await faultyEquipment()
      equipment.set(BEFORE, 50).set(AFTER, 60)
      const file = (register: number): CommissioningFile => ({
        technicalSystem: 'Moving',
        connections: [
          {
            name: 'Moving',
            protocol: 'modbus-tcp',
            settings: { host: '127.0.0.1', port: equipment.port, pollSeconds: 0.2 },
            datapoints: [{ name: 'Moving', accessType: 'READ_WRITE', data: { register, type: 'int16' } }],
          },
        ],
      })
      const [connection] = (await stack.commission(file(BEFORE))).connections
      const datapointId = connection?.datapoints[0]?.id ?? ''
      const span = { from: Date.now(), to: Date.now() + HOUR }
      const place = (value: number, reqId: string) => stack.partner.override({ datapointId, value, ...span }, reqId)
      const placed = (value: number, reqId: string) =>
        eventually(async () => {
          const { status, body } = await place(value, reqId)
          expect(status, body.message).toBe(200)
          return body.data.id
        })

      await eventually(() => stack.partner.values(connection?.id ?? ''))
      stack.edge.send({ crashAt: point })
      await stack.admin.commission({ ...stack.ids, body: file(AFTER) }).catch(() => {})
      const reqId = crypto.randomUUID()
      await place(7, reqId).catch(() => {})
      await stack.edge.kill().catch(() => {})
      await stack.edge.start({ PLANTROOM_TEST_CRASH_AT: '' })

      // The override may be on the old address or the new one, or lost: with the same reqId it is there once. It is
      // cancelled first, because a held datapoint cannot be moved.
      await dispatcher.cancel(await placed(7, reqId))
      await eventually(async () => {
        expect([equipment.register(BEFORE), equipment.register(AFTER)]).toEqual([50, 60])
        await stack.admin.commission({ ...stack.ids, body: file(AFTER) })
      })
      const id = await placed(8, crypto.randomUUID())
      await eventually(() => expect(equipment.register(AFTER)).toBe(8))
      expect(equipment.register(BEFORE)).toBe(50)
      await dispatcher.cancel(id)
      await eventually(() => expect(equipment.register(AFTER)).toBe(60))
      await eventually(() =>
        stack.admin.commission({ ...stack.ids, body: { technicalSystem: 'Moving', connections: [] } }),
      )
    },
  )
})

describe('a cloud that is killed during dispatches', () => {
  test('loses and duplicates no audit entry; acknowledged overrides run and end without the cloud', async () => {
    await isFree()
    const before = await reportsOf(stack)
    const acknowledged: string[] = []
    let last = { value: 5, to: 0 }
    for (let round = 1; round <= 3; round += 1) {
      let up = true
      const sending = (async () => {
        for (let value = round * 10; up; value = round * 10 + ((value + 1) % 10)) {
          const to = Date.now() + 2_500
          await dispatcher
            .hold(POWER, value, { to: 2_500 })
            .then((id) => {
              acknowledged.push(id)
              last = { value, to }
            })
            // The cloud was killed before it answered.
            .catch(() => {})
        }
      })()
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(round * 10))
      await stack.cloud.kill()
      up = false
      await sending
      await dispatcher.registerBecomes(POWER, 5)
      expect(Date.now()).toBeGreaterThanOrEqual(last.to)
      await stack.cloud.start()
      await eventually(async () => expect(await stack.online()).toBe(true))
    }

    await eventually(async () => {
      const entries = (await reportsOf(stack)).slice(before.length)
      expect(entries.at(-1)).toMatchObject({ phase: 'released', value: 5 })
      for (const id of acknowledged) {
        const phases = entries.filter(({ overrideId }) => overrideId === id).map(({ phase }) => phase)
        expect(phases).toEqual(['applied', 'released'])
      }
    })
  })
})

describe('a cloud that is killed after it received a report and before it stored it', () => {
  test('receives the report again, even from a controller that was killed meanwhile', async () => {
    await isFree()
    const id = await dispatcher.hold(POWER, 42, { to: 4_000 })
    const later = await dispatcher.hold('Discharge reserve', 43, { to: 4_400 })
    await dispatcher.registerBecomes(POWER, 42)
    await dispatcher.registerBecomes('Discharge reserve', 43)
    await dispatcher.reportsOn(later, 1)
    stack.cloud.signal('SIGSTOP')
    await dispatcher.registerBecomes(POWER, 5)
    // Entries are sent in order: when this one exists, the earlier one was sent to the halted cloud.
    await dispatcher.registerBecomes('Discharge reserve', 10)

    await stack.cloud.kill()
    await stack.edge.kill()
    await stack.edge.start()
    await stack.cloud.start()
    for (const each of [id, later]) {
      expect(await dispatcher.reportsOn(each, 2)).toMatchObject([
        { phase: 'applied' },
        { phase: 'released', reason: 'ended' },
      ])
    }
  })
})
