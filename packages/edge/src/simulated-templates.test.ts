import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { readTemplate, templateNames } from '@plantroom/base/template-folder'
import { type CommissionedDatapoint, failsafeOf } from '@plantroom/contract/commissioning'
import type { ControlState } from '@plantroom/contract/control-state'
import { IDENTITY_SCALER, type TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Template } from '@plantroom/contract/templates'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionValues } from '@plantroom/contract/values'
import { createProtocols } from '@plantroom/drivers/protocols'
import { type SimulatedTemplate, startSimulatedTemplate } from '@plantroom/simulator/template'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { toEngineering, toRaw } from './connections/scaling.ts'
import { type Device, startDevice } from './device.ts'
import { aCaller } from './testing/caller.ts'

/** Real drivers, sockets and time of the controller; the time of the equipment is moved, so that its failsafes are quick. */
const names = await templateNames()
const templates = new Map(await Promise.all(names.map(async (name) => [name, await templateOf(name)] as const)))
const log = createLog('edge', 'silent')

async function templateOf(name: string): Promise<Template> {
  return (await readTemplate(name)) as Template
}

/** A controller that can die: another one then continues with its folder. */
interface Controller {
  device: Device
  folder: string
}

async function startController(folder = mkdtempSync(join(tmpdir(), 'plantroom-test-'))): Promise<Controller> {
  const protocols = createProtocols(systemClock)
  const device = await startDevice({ folder, deviceId: 'dev_1', protocols, clock: systemClock, log, onRestored() {} })
  return { device, folder }
}

async function discard({ device, folder }: Controller): Promise<void> {
  await device.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Starts equipment with the map of a template, and commissions it until the end of the test. */
async function simulate(name: string, controller: Controller, clock: Clock = systemClock): Promise<SimulatedTemplate> {
  const template = templates.get(name)
  if (!template) throw new Error(`there is no template ${name}`)
  const equipment = await startSimulatedTemplate(template, { host: '127.0.0.1', port: 0, clock, log })
  onTestFinished(() => equipment.stop())
  await call(controller, 'commission', { technicalSystem: systemOf(name, equipment) })
  return equipment
}

async function call(
  { device }: Controller,
  command:
    | 'commission'
    | 'getControlState'
    | 'getTechnicalConnectionValues'
    | 'demandResponseOverride'
    | 'demandResponseCancel',
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
  const delays = connection.protocol.startsWith('modbus') ? { connectDelayMs: 0, interFrameDelayMs: 0 } : {}
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

/** Returns how equipment shows a datapoint, in engineering units. */
const shownBy = ({ raw }: SimulatedTemplate, { name, scaler = IDENTITY_SCALER }: CommissionedDatapoint) =>
  toEngineering(raw(name) ?? Number.NaN, scaler)

/** The setpoints of a template: the registers of failsafes are not among them. */
function setpointsIn({ connection: { datapoints } }: SimulatedTemplate): CommissionedDatapoint[] {
  const registers = new Set(datapoints.map(({ failsafe }) => failsafe && failsafeOf(failsafe)?.register))
  return datapoints.filter((each) => each.accessType !== 'READ' && !registers.has(each.name))
}

/** What a datapoint has when nobody holds it. */
const restOf = ({ accessType, releaseValue }: CommissionedDatapoint, before: number) =>
  accessType === 'WRITE' ? (releaseValue ?? before) : before

async function hold(controller: Controller, datapointId: string, value: number): Promise<string> {
  const window = { from: formatTimestamp(Date.now()), to: formatTimestamp(Date.now() + FOR_MS) }
  return (await call(controller, 'demandResponseOverride', { datapointId, value, ...window })).id
}

/** The controller says so itself only after a reading, and a setpoint may count as followed by other registers too. */
function expectFollowed(controller: Controller, overrideId: string): Promise<void> {
  const followed = { state: 'holding', trouble: null, troubleReason: null }
  return eventually(async () => {
    const { holds } = (await call(controller, 'getControlState', {})) as ControlState
    expect(holds.find((each) => each.overrideId === overrideId)).toMatchObject(followed)
  })
}

function expectShown(equipment: SimulatedTemplate, datapoint: CommissionedDatapoint, value: number): Promise<void> {
  const expected = [datapoint.name, expect.closeTo(value, 3)]
  return eventually(() => expect([datapoint.name, shownBy(equipment, datapoint)]).toEqual(expected))
}

describe('on a controller', () => {
  let controller: Controller

  beforeAll(async () => {
    controller = await startController()
  })
  afterAll(() => discard(controller))

  test.each(names)('%s is read, held and released, as the equipment shows', async (name) => {
    const equipment = await simulate(name, controller)
    onTestFinished(async () => {
      await eventually(() => call(controller, 'commission', { technicalSystem: aSystem(name, []) }))
    })
    await eventually(async () => {
      const { values } = (await call(controller, 'getTechnicalConnectionValues', { id: name })) as ConnectionValues
      for (const datapoint of equipment.connection.datapoints) {
        const shown = values[idOf(name, datapoint.name)]
        expect([datapoint.name, shown?.error]).toEqual([datapoint.name, undefined])
        if (datapoint.accessType !== 'WRITE') {
          expect(Number(shown?.value)).toBeCloseTo(shownBy(equipment, datapoint), 3)
        }
      }
    })

    for (const datapoint of setpointsIn(equipment)) {
      const before = shownBy(equipment, datapoint)
      const setpoint = setpointOf(datapoint, before)
      expect([datapoint.name, setpoint]).not.toEqual([datapoint.name, before])
      const id = await hold(controller, idOf(name, datapoint.name), setpoint)
      await expectShown(equipment, datapoint, setpoint)
      await expectFollowed(controller, id)
      const failsafe = datapoint.failsafe && failsafeOf(datapoint.failsafe)
      if (failsafe) await eventually(() => expect(equipment.raw(failsafe.register)).toBe(datapoint.failsafe?.seconds))
      await call(controller, 'demandResponseCancel', { id })
      await expectShown(equipment, datapoint, restOf(datapoint, before))
    }
  })
})

/** Setpoints for which a SunSpec device has the timer of another one. */
const SAME_TIMER = ['Discharge rate']

/** Whether equipment gives a setpoint up by itself, as its template says. */
const fallsBack = ({ name, failsafe, writeInterval = 0 }: CommissionedDatapoint) =>
  failsafe !== undefined || writeInterval > 0 || SAME_TIMER.includes(name)

/** Every kind of failsafe, and a slot of BACnet that keeps its value; all templates in a campaign. */
const mortal = names.filter((name) => {
  const { datapoints = [], protocols = [] } = templates.get(name) ?? {}
  const hasFailsafe = datapoints.some((each) => each.failsafe ?? each.writeInterval)
  return isCampaign || hasFailsafe || protocols[0]?.protocol === 'bacnet-ip'
})

test.each(mortal)(
  '%s falls back as it says when the controller dies, and is released by the next one',
  async (name) => {
    const time = createManualClock()
    const first = await startController()
    let next: Controller | undefined
    onTestFinished(() => discard(next ?? first))
    const equipment = await simulate(name, first, time)
    const held: { datapoint: CommissionedDatapoint; before: number; setpoint: number; id: string }[] = []
    for (const datapoint of setpointsIn(equipment)) {
      const before = shownBy(equipment, datapoint)
      const setpoint = setpointOf(datapoint, before)
      const id = await eventually(() => hold(first, idOf(name, datapoint.name), setpoint))
      held.push({ datapoint, before, setpoint, id })
      await expectShown(equipment, datapoint, setpoint)
      const failsafe = datapoint.failsafe && failsafeOf(datapoint.failsafe)
      if (failsafe) await eventually(() => expect(equipment.raw(failsafe.register)).toBe(datapoint.failsafe?.seconds))
    }

    await first.device.stop()
    for (const { datapoint, setpoint } of held) expect(shownBy(equipment, datapoint)).toBeCloseTo(setpoint, 3)
    await time.advance(FOR_MS)
    for (const { datapoint, before, setpoint } of held) {
      expect([datapoint.name, shownBy(equipment, datapoint)]).toEqual([
        datapoint.name,
        expect.closeTo(fallsBack(datapoint) ? before : setpoint, 3),
      ])
    }

    next = await startController(first.folder)
    for (const { datapoint, before, setpoint, id } of held) {
      await expectShown(equipment, datapoint, setpoint)
      await call(next, 'demandResponseCancel', { id })
      await expectShown(equipment, datapoint, restOf(datapoint, before))
    }
  },
)
