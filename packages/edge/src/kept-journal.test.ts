import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import type { Protocol } from '@plantroom/drivers/driver'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { startDevice } from './device.ts'
import { createMemoryProtocol } from './testing/memory-driver.ts'

/** The journal of a controller of version 0.1.0 that held the charge power at 25, 5 before, until this time. */
const JOURNAL = join(import.meta.dirname, 'store/testing/journal-0.1.0.db')
const HELD_UNTIL = Date.UTC(2026, 10, 17, 17, 42, 2, 484)
const INVERTER = 'con_rch4anqvyg4ds9x4dq8q'
const CHARGE_POWER = 'dp_ya2605qn0j55jvkxm28f'

/** Starts a controller of this version with that journal, and returns what it writes to the inverter. */
async function writesOf(now: number): Promise<unknown[]> {
  const folder = temporaryFolder()
  copyFileSync(JOURNAL, join(folder, 'journal.db'))
  const clock = createManualClock(now)
  const memory = createMemoryProtocol()
  const protocol: Protocol = {
    ...memory,
    connect(connection, listener) {
      const driver = memory.connect(connection, listener)
      if (connection.id === INVERTER) memory.driver(INVERTER).points.set(CHARGE_POWER, 0)
      return driver
    },
  }
  const protocols = { 'modbus-tcp': protocol, mqtt: protocol, obix: protocol }
  const starting = startDevice({ folder, deviceId: 'dev_1', protocols, clock, log: createLog('edge', 'silent') })
  await clock.advance(0)
  const device = await starting
  onTestFinished(async () => {
    const stopped = device.stop()
    await clock.advance(5_000)
    await stopped
  })
  await clock.advance(3_000)
  const { writes } = memory.driver(INVERTER)
  return writes.filter(({ id }) => id === CHARGE_POWER).map(({ raw }) => raw)
}

test('the journal of version 0.1.0 opens, and its override is held until its end', async () => {
  expect(await writesOf(HELD_UNTIL - 3_600_000)).toEqual([250])
})

test('an override of version 0.1.0 that ended meanwhile is released', async () => {
  expect(await writesOf(HELD_UNTIL + 3_600_000)).toEqual([50])
})
