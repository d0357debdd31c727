import { existsSync } from 'node:fs'
import type { Random } from '@plantroom/testkit/random'
import { repeat, repetitions } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { caughtUp, expectCommands, expectOnlineCount, expectStored, type FleetLoad } from './support/fleet-checks.ts'
import { type FleetStack, startFleetStack } from './support/fleet-stack.ts'
import { HAPROXY } from './support/haproxy.ts'
import { type ImitatedFleet, startFleet } from './support/imitated-fleet.ts'
import { MOSQUITTO } from './support/mosquitto.ts'

const RUN_TIMEOUT_MS = 1_200_000
const FAULTS = 3
/** Whose values are compared: all of them would take longer than the faults. */
const COMPARED = 20
const CONTROLLERS = Number(process.env.PLANTROOM_TEST_DEVICES ?? 10_000)
const INTERVAL_S = 15
const LOAD: FleetLoad = { controllers: CONTROLLERS, values: 10, intervalMs: INTERVAL_S * 1000 }
const ARGUMENTS = ['--values', String(LOAD.values), '--interval', String(INTERVAL_S), '--connect-rate', '1000']

type Fault = (stack: FleetStack) => Promise<void>
const killCloud =
  (place: 0 | 1): Fault =>
  async ({ clouds }) => {
    await clouds[place].kill()
    await clouds[place].start()
  }
const MISHAPS: Readonly<Record<string, Fault>> = {
  'first cloud': killCloud(0),
  'second cloud': killCloud(1),
  'both clouds': async (stack) => void (await Promise.all([killCloud(0)(stack), killCloud(1)(stack)])),
  worker: async ({ workers }) => void (await workers[0].start()),
  async database({ postgres }) {
    await postgres.crash()
    await postgres.start()
  },
  async broker({ mosquitto }) {
    await mosquitto.kill()
    await mosquitto.start()
  },
}

const chosen = (random: Random) =>
  Array.from({ length: FAULTS }, () => {
    const names = Object.keys(MISHAPS)
    return names[random.whole(0, names.length - 1)] ?? 'broker'
  })

describe.skipIf(!existsSync(MOSQUITTO) || !HAPROXY)(`${CONTROLLERS} controllers`, () => {
  let stack: FleetStack
  let fleet: ImitatedFleet | undefined

  beforeAll(async () => {
    stack = await startFleetStack({ count: CONTROLLERS, args: ARGUMENTS })
  }, RUN_TIMEOUT_MS)
  afterAll(async () => {
    await fleet?.[Symbol.asyncDispose]()
    await stack?.[Symbol.asyncDispose]()
  }, RUN_TIMEOUT_MS)

  test(
    'lose nothing, store nothing twice and are known as they are, whatever dies',
    { timeout: repetitions(1) * RUN_TIMEOUT_MS },
    () =>
      repeat(1, async ({ random }) => {
        const running = await startFleet({
          ...stack.fleet,
          args: [...stack.fleet.args, '--url', stack.mosquitto.deviceUrl],
        })
        fleet = running
        const faults = chosen(random)
        const happened = `after ${faults.join(', then ')}`
        try {
          for (const name of faults) {
            await MISHAPS[name]?.(stack)
            await caughtUp(running, LOAD)
          }
          await eventually(() => expectOnlineCount(stack, CONTROLLERS + 1))
          await eventually(() => expectCommands(stack))
          const confirmed = await running.stop()
          expect(confirmed).toHaveLength(CONTROLLERS)
          const first = random.whole(0, Math.max(0, CONTROLLERS - COMPARED))
          await expectStored(stack, confirmed.slice(first, first + COMPARED), LOAD)
          await eventually(() => expectOnlineCount(stack, 1))
        } catch (error) {
          throw new Error(`${happened}: ${(error as Error).message}`, { cause: error })
        }
      }),
  )
})
