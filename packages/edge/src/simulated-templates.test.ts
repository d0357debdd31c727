import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { readTemplate, templateNames } from '@plantroom/base/template-folder'
import { type CommissionedDatapoint, failsafeOf } from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER, type TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Template } from '@plantroom/contract/templates'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionValues } from '@plantroom/contract/values'
import { createProtocols } from '@plantroom/drivers/protocols'
import { type SimulatedTemplate, startSimulatedTemplate } from '@plantroom/simulator/template'
import { eventually } from '@plantroom/testkit/eventually'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toEngineering, toRaw } from './connections/scaling.ts'
import { type Device, startDevice } from './device.ts'
import { startBacnetTemplate } from './testing/bacnet-template.ts'
import { aCaller } from './testing/caller.ts'
import { startSunspecTemplate } from './testing/sunspec-template.ts'

/** One controller for all templates, in turn, each on equipment of its own: real drivers, sockets and time. */
const names = await templateNames()
const folder = mkdtempSync(join(tmpdir(), 'plantroom-test-'))
const log = createLog('edge', 'silent')
let device: Device

beforeAll(async () => {
  const protocols = createProtocols(systemClock)
  device = await startDevice({ folder, deviceId: 'dev_1', protocols, clock: systemClock, log, onRestored() {} })
})

afterAll(async () => {
  await device?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts equipment with the map of a template, and commissions it until the end of the test. */
async function simulate(name: string): Promise<SimulatedTemplate> {
  const template = (await readTemplate(name)) as Template
  const others: Partial<Record<string, typeof startSimulatedTemplate>> = {
    'bacnet-ip': startBacnetTemplate,
    sunspec: startSunspecTemplate,
  }
  const start = others[template.protocols[0]?.protocol ?? ''] ?? startSimulatedTemplate
  const equipment = await start(template, { host: '127.0.0.1', port: 0, clock: systemClock, log })
  onTestFinished(() => equipment.stop())
  await call('commission', { technicalSystem: systemOf(name, equipment) })
  onTestFinished(async () => {
    await eventually(() => call('commission', { technicalSystem: aSystem(name, []) }))
  })
  return equipment
}

async function call(
  command: 'commission' | 'getTechnicalConnectionValues' | 'demandResponseOverride' | 'demandResponseCancel',
  data: object,
) {
  return JSON.parse(await device.handlers[command](data as Record<string, unknown>, aCaller()))
}

const idOf = (name: string, datapoint: string) => `${name}/${datapoint}`

/** The system that the cloud builds from the file of a template, polled often and without delays. */
function systemOf(name: string, { connection }: SimulatedTemplate): TechnicalSystem {
  const datapoints = connection.datapoints.map(({ failsafe: _, tags: _tags, ...datapoint }) =>
    aDatapoint({ ...datapoint, tags: [], id: idOf(name, datapoint.name) }),
  )
  const failsafes = connection.datapoints.flatMap(({ name: held, failsafe }) => {
    const found = failsafe && failsafeOf(failsafe)
    if (!found) return []
    return [
      {
        datapointId: idOf(name, held),
        kind: found.kind,
        registerId: idOf(name, found.register),
        seconds: failsafe.seconds,
      },
    ]
  })
  const delays = connection.protocol === 'modbus-tcp' ? { connectDelayMs: 0, interFrameDelayMs: 0 } : {}
  const settings = { ...connection.settings, ...delays, pollSeconds: 0.1 }
  return {
    ...aSystem(name, [aConnection({ id: name, protocol: connection.protocol, settings, datapoints })]),
    failsafes,
  }
}

/** A value within the limits, other than the one that the equipment has at its start. */
function setpointOf({ unit, limits, writeInputData, scaler }: CommissionedDatapoint, before: number): number {
  if (unit === 'on/off') return 1
  const { min = 0, max = 1 } = { ...writeInputData, ...limits }
  const middle = min + (max - min) / 2
  const setpoint = scaler ? toEngineering(Math.round(toRaw(middle, scaler)), scaler) : Math.round(middle)
  return setpoint === before ? max : setpoint
}

const FOR_MS = 600_000

test.each(names)('%s is read, held and released, as the equipment shows', async (name) => {
  const { connection, raw } = await simulate(name)
  const held = (datapoint: CommissionedDatapoint) =>
    toEngineering(raw(datapoint.name) ?? Number.NaN, datapoint.scaler ?? IDENTITY_SCALER)

  await eventually(async () => {
    const { values } = (await call('getTechnicalConnectionValues', { id: name })) as ConnectionValues
    for (const datapoint of connection.datapoints) {
      const shown = values[idOf(name, datapoint.name)]
      expect([datapoint.name, shown?.error]).toEqual([datapoint.name, undefined])
      if (datapoint.accessType !== 'WRITE') expect(Number(shown?.value)).toBeCloseTo(held(datapoint), 3)
    }
  })

  const registers = new Set(connection.datapoints.map(({ failsafe }) => failsafe && failsafeOf(failsafe)?.register))
  const writable = connection.datapoints.filter((each) => each.accessType !== 'READ' && !registers.has(each.name))
  for (const datapoint of writable) {
    const before = held(datapoint)
    const setpoint = setpointOf(datapoint, before)
    expect([datapoint.name, setpoint]).not.toEqual([datapoint.name, before])
    const window = { from: formatTimestamp(Date.now()), to: formatTimestamp(Date.now() + FOR_MS) }
    const { id } = await call('demandResponseOverride', {
      datapointId: idOf(name, datapoint.name),
      value: setpoint,
      ...window,
    })
    await eventually(() =>
      expect([datapoint.name, held(datapoint)]).toEqual([datapoint.name, expect.closeTo(setpoint, 3)]),
    )
    const failsafe = datapoint.failsafe && failsafeOf(datapoint.failsafe)
    if (failsafe) await eventually(() => expect(raw(failsafe.register)).toBe(datapoint.failsafe?.seconds))
    await call('demandResponseCancel', { id })
    const released = datapoint.accessType === 'WRITE' ? (datapoint.releaseValue ?? before) : before
    await eventually(() =>
      expect([datapoint.name, held(datapoint)]).toEqual([datapoint.name, expect.closeTo(released, 3)]),
    )
  }
})
