import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { never } from '../testing/driver-rig.ts'
import { scan } from '../testing/scan.ts'
import { createBacnetProtocol } from './driver.ts'
import { connectionOf } from './testing/bench.ts'
import { startThirdParty, THIRD_PARTIES, type ThirdPartyDevice } from './testing/third-party.ts'

const VALUE = 'analog-value,1'
const FAN = 'binary-output,1'
const METER = 'analog-input,1'
const SLOT = 10
/** A Java program that is compiled at its start takes long on a busy machine. */
const LONG_MS = 300_000

// Only `campaign interop drivers` reaches the registries of Python and Java.
const folder = isCampaign ? mkdtempSync(join(tmpdir(), 'bacnet-')) : undefined
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
})
const installed = await Promise.all(
  THIRD_PARTIES.map(async ({ name, install }) => ({
    name,
    command: folder === undefined ? undefined : await install(folder),
  })),
)

async function start(command: readonly string[], settings: Record<string, unknown> = {}) {
  const device = await startThirdParty(command)
  onTestFinished(() => device.kill())
  const data = { [VALUE]: { units: 'kilowatts' } }
  const all = { port: device.port, deviceInstance: 1234, timeoutMs: 10_000, ...settings }
  const driver = createBacnetProtocol({ clock: systemClock }).connect(connectionOf([VALUE, FAN, METER], all, data))
  onTestFinished(() => driver.close())
  await driver.open(never)
  return { device, driver }
}

const slotsOf = async (device: ThirdPartyDevice, object: string) =>
  (await device.ask({ slots: object })).slots as unknown[]
const EMPTY: readonly unknown[] = Array.from({ length: 16 }, () => null)

describe.each(installed)('a third-party device: $name', ({ name, command = [] }) => {
  describe.skipIf(command.length === 0)('that is installed', { timeout: LONG_MS }, () => {
    test('takes our writes at our priority, and our NULL there and nowhere else', async () => {
      const { device, driver } = await start(command)
      expect(await driver.read([VALUE, FAN, METER])).toEqual([{ raw: 5 }, { raw: 0 }, { raw: 1.5 }])
      await driver.write(VALUE, 21.5)
      await driver.write(FAN, 1)
      expect(await slotsOf(device, VALUE)).toEqual(EMPTY.with(SLOT - 1, 21.5))
      expect(await slotsOf(device, FAN)).toEqual(EMPTY.with(SLOT - 1, 1))
      await device.ask({ operator: [VALUE, 19] })
      expect(await driver.read([VALUE], { urgent: true })).toEqual([{ raw: 19 }])
      const operator = { priority: 8, reading: { raw: 19 }, outranks: true }
      expect(await driver.inCharge?.(VALUE)).toMatchObject(operator)
      expect(await driver.relinquish?.(VALUE)).toBe(true)
      expect(await slotsOf(device, VALUE)).toEqual(EMPTY.with(7, 19))
      expect(await driver.inCharge?.(VALUE)).toMatchObject(operator)
      expect(await driver.relinquish?.(FAN)).toBe(true)
      expect(await slotsOf(device, FAN)).toEqual(EMPTY)
    })

    test('announces its changes to us', async () => {
      const { device, driver } = await start(command)
      await driver.read([METER])
      await device.ask({ set: [METER, 99] })
      await eventually(async () => expect(await driver.read([METER])).toEqual([{ raw: 99 }]))
    })

    test('that is rebooted while we hold can be written and released again', async () => {
      const { device, driver } = await start(command)
      await driver.write(VALUE, 21.5)
      await device.kill()
      const rebooted = await startThirdParty(command, device.port)
      onTestFinished(() => rebooted.kill())
      expect(await driver.read([VALUE], { urgent: true })).toEqual([{ raw: 5 }])
      await driver.write(VALUE, 21.5)
      expect(await slotsOf(rebooted, VALUE)).toEqual(EMPTY.with(SLOT - 1, 21.5))
      expect(await driver.relinquish?.(VALUE)).toBe(true)
      expect(await slotsOf(rebooted, VALUE)).toEqual(EMPTY)
      expect(await driver.read([VALUE], { urgent: true })).toEqual([{ raw: 5 }])
    })

    test('with another instance than the commissioned one is not opened', async () => {
      // bacpypes3 and BAC0 do not know the instance that stands for any, and so do not say which device they are.
      await expect(start(command, { deviceInstance: 99 })).rejects.toThrow('not device 99')
    })

    test('is found by a scan, with its objects', async () => {
      const device = await startThirdParty(command)
      onTestFinished(() => device.kill())
      const settings = { host: '127.0.0.1', port: device.port, timeoutMs: 10_000 }
      const { found, warnings } = await scan(createBacnetProtocol({ clock: systemClock }), settings)
      expect(warnings).toEqual([])
      expect(found).toMatchObject([{ name, settings: { ...settings, deviceInstance: 1234 } }])
      const named = found[0]?.datapoints.map(({ name, unit, raw, commandable }) => [name, unit, raw, commandable])
      expect(named?.sort()).toEqual([
        ['fan', 'on/off', 0, true],
        ['meter', 'kW', 1.5, undefined],
        ['setpoint', 'kW', 5, true],
      ])
    })
  })
})
