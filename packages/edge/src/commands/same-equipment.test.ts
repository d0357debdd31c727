import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { createMemoryDriver, type MemoryDriver } from '../testing/memory-driver.ts'

const power = aDatapoint({
  ...{ id: 'power', name: 'Battery power', accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } },
  data: { register: 1, type: 'int16' },
})
const systemAt = (host: string, change: Partial<typeof power> = {}, settings = {}): TechnicalSystem =>
  aSystem('sys', [aConnection({ settings: { host, ...settings }, datapoints: [{ ...power, ...change }] })])

interface Rig {
  device: Controller
  /** What is at the old address, and at the new one. */
  before: MemoryDriver
  after: MemoryDriver
}

async function startRig(): Promise<Rig> {
  const [before, after] = [createMemoryDriver({ power: 10 }), createMemoryDriver({ power: 20 })]
  const device = await startController(systemAt('old'), { points: {}, hosts: { old: before, new: after } })
  onTestFinished(() => device.stop())
  return { device, before, after }
}

const commission = (device: Controller, technicalSystem: TechnicalSystem, sameEquipment?: boolean) =>
  device.call('commission', { technicalSystem, ...(sameEquipment !== undefined && { sameEquipment }) })

const written = ({ writes }: MemoryDriver) => writes.map(({ raw }) => raw)

/** The device as if it were waiting to release the equipment at an address that does not answer. */
async function releaseInVain({ device, before }: Rig): Promise<void> {
  const id = await device.override('power', 20, 0, 60)
  before.cut = 'no route'
  await device.cancel(id)
  await device.pass(2)
}

describe('a file that reaches held equipment in another way', () => {
  test('is refused with what to add, and accepted with it', async () => {
    const { device } = await startRig()
    await device.override('power', 20, 0, 60)
    await expect(commission(device, systemAt('new'))).rejects.toThrow(
      /^conn\/Battery power must keep its settings\.host: .* add "sameEquipment": true at the top of the file/,
    )
    await expect(commission(device, systemAt('new'), false)).rejects.toThrow('sameEquipment')
    expect(await commission(device, systemAt('new'), true)).toEqual({ auditKey: expect.any(String) })
  })

  test('continues a running override there, and restores the value from before at its end', async () => {
    const { device, before, after } = await startRig()
    await device.override('power', 30, 0, 60)
    await commission(device, systemAt('new'), true)
    await device.pass(2)
    expect(after.points.get('power')).toBe(30)
    await device.pass(60)
    expect(after.points.get('power')).toBe(10)
    expect(written(before)).toEqual([30])
    expect(device.reports.map(({ phase, value }) => [phase, value])).toEqual([
      ['applied', 30],
      ['released', 10],
    ])
  })

  test('releases there what could not be released at the old address', async () => {
    const rig = await startRig()
    const { device, before, after } = rig
    await releaseInVain(rig)
    await commission(device, systemAt('new'), true)
    before.cut = undefined
    await device.pass(60)
    expect(after.points.get('power')).toBe(10)
    expect(written(before)).toEqual([20])
    expect(device.state?.holds).toEqual([])
  })

  test('continues after a power cut right after it was accepted', async () => {
    const rig = await startRig()
    const { device, before, after } = rig
    await releaseInVain(rig)
    device.dieAt('flush:after')
    await expect(commission(device, systemAt('new'), true)).rejects.toThrow('died')
    before.cut = undefined
    await device.crash()
    await device.pass(10)
    expect(after.points.get('power')).toBe(10)
    expect(written(before)).toEqual([20])
  })

  test.each<[string, Partial<typeof power>, string]>([
    ['the type differs', { data: { register: 1, type: 'int32' } }, 'data.type'],
    ['the scaler differs', { scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 9 } }, 'scaler'],
    ['it can only be read', { accessType: 'READ' }, 'accessType'],
  ])('is refused with the fields that give a value another meaning: %s', async (_how, change, field) => {
    const { device, after } = await startRig()
    await device.override('power', 20, 0, 60)
    const next = systemAt('new', change)
    const refusal = expect.objectContaining({ message: expect.stringContaining(`must keep its ${field}: `) })
    await expect(commission(device, next, true)).rejects.toEqual(refusal)
    await expect(commission(device, next, true)).rejects.not.toThrow('sameEquipment')
    expect(after.writes).toEqual([])
  })

  test('must not remove the datapoint, and the refusal names the way out', async () => {
    const { device } = await startRig()
    await device.override('power', 20, 0, 60)
    await expect(commission(device, aSystem('sys', []), true)).rejects.toThrow(
      /must not be removed.*holds\/\{datapointId\}\/close/,
    )
  })

  test('may change the register and the password along with the host', async () => {
    const { device, after } = await startRig()
    await device.override('power', 30, 0, 60)
    const next = systemAt('new', { data: { register: 7, type: 'int16' } }, { password: 'rotated' })
    await commission(device, next, true)
    await device.pass(61)
    expect(after.points.get('power')).toBe(10)
  })

  test('is described by a check, which changes nothing', async () => {
    const { device, after } = await startRig()
    await device.override('power', 20, 0, 60)
    const check = (technicalSystem: TechnicalSystem) => device.call('checkCommissioning', { technicalSystem })
    const held = { connection: 'conn', datapoint: 'Battery power' }
    expect(await check(systemAt('new'))).toMatchObject({ held: [{ ...held, fields: ['settings.host'], fixed: [] }] })
    const otherType = systemAt('new', { data: { register: 1, type: 'int32' } })
    expect(await check(otherType)).toMatchObject({
      held: [{ ...held, fields: ['settings.host', 'data.type'], fixed: ['data.type'] }],
    })
    expect(after.opened).toBe(0)
  })
})

describe('a release that is on its way when the address changes', () => {
  test('is not sent to the old address after the file was accepted', async () => {
    const { device, before, after } = await startRig()
    const id = await device.override('power', 20, 0, 60)
    const sending = Promise.withResolvers<void>()
    before.writing = sending.promise
    await device.cancel(id)
    const commissioned = commission(device, systemAt('new'), true)
    sending.resolve()
    await commissioned
    await device.pass(10)
    expect(written(before)).toEqual([20])
    expect(written(after)).toEqual([10])
  })

  test('does not count as done when the old address answers after the file was accepted', async () => {
    const { device, before, after } = await startRig()
    const id = await device.override('power', 20, 0, 60)
    const answered = Promise.withResolvers<void>()
    before.afterWrite = () => answered.promise
    await device.cancel(id)
    // Other equipment at the old address acknowledges and shows the value.
    expect(written(before)).toEqual([20, 10])
    const commissioned = commission(device, systemAt('new'), true)
    answered.resolve()
    await commissioned
    await device.pass(10)
    expect(after.points.get('power')).toBe(10)
    expect(written(after)).toEqual([10])
  })

  test('is sent to the old address after all when the file is refused', async () => {
    const rig = await startRig()
    const { device, before, after } = rig
    await releaseInVain(rig)
    await expect(commission(device, systemAt('new'))).rejects.toThrow('sameEquipment')
    before.cut = undefined
    await device.pass(10)
    expect(before.points.get('power')).toBe(10)
    expect(after.writes).toEqual([])
  })
})
