import { createRegisterBank } from '@plantroom/drivers/modbus/testing/register-bank'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { pointAt, putModels, setPoint } from '@plantroom/drivers/sunspec/testing/device-registers'
import { createSunspec } from '@plantroom/drivers/sunspec/testing/sunspec-rig'
import { eventually } from '@plantroom/testkit/eventually'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { watchTraffic } from '@plantroom/testkit/watch-traffic'
import { expect, onTestFinished, test } from 'vitest'
import { aControlRig } from '../testing/control-rig.ts'

const LIMIT = { model: 704, point: 'WMaxLimPct' }

/** A controller and an inverter on a socket, whose limit is at 70 % and switched off. */
async function anInverter() {
  const traffic = watchTraffic()
  onTestFinished(() => traffic.stop())
  const bank = createRegisterBank()
  const values = { WMaxLimPct: 700, WMaxLimPct_SF: -1, WMaxLimPctEna: 0, WMaxLimPctRvrtTms: 0 }
  const [model] = putModels(bank, [{ model: 704, length: 65, values }])
  if (!model) return expect.fail('no model')
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  const written: string[] = []
  peer.serve((request) => {
    if (request.functionCode === 16) written.push(nameOf(request.address - model.register))
    bank.answer(request)
  })
  const nameOf = (offset: number) => NAMES[offset] ?? String(offset)
  const settings = { host: '127.0.0.1', port: peer.port, pollSeconds: 1, timeoutMs: 10_000, revertSeconds: 90 }
  const limit = aDatapoint({ id: 'limit', accessType: 'READ_WRITE', data: LIMIT })
  const rig = await aControlRig([limit], {}, { createProtocol: createSunspec, settings, settled: traffic.settled })
  const until = (check: () => void) =>
    eventually(async () => {
      await rig.clock.advance(100)
      check()
    })
  await until(() => expect(rig.shown('limit')).toMatchObject({ value: 70 }))
  return {
    ...{ ...rig, until, written },
    set: (path: string, value: number) => setPoint(bank, model, path, value),
    registers: () => ['WMaxLimPct', 'WMaxLimPctEna', 'WMaxLimPctRvrtTms'].map((path) => pointAt(bank, model, path)),
  }
}

const NAMES: Readonly<Record<number, string>> = { 14: 'switch', 15: 'limit', 18: 'timer' }

test('a SunSpec control is held with its timer, taken back when the inverter ends it, and restored', async () => {
  const { arbiter, until, registers, set, written, clock, entries } = await anInverter()
  arbiter.claim('limit', 'deviation', { value: 40 })
  await until(() => expect(registers()).toEqual([400, 1, 90]))
  await until(() => expect(arbiter.hold('limit') && entries().map(({ phase }) => phase)).toEqual(['applied']))
  expect(written).toEqual(['timer', 'limit', 'switch'])

  // The timer is renewed with the setpoint.
  written.length = 0
  await clock.advance(31_000)
  await until(() => expect(written).toEqual(['timer', 'limit']))

  // The inverter ends the control by its switch: its register still shows the setpoint.
  set('WMaxLimPctEna', 0)
  await until(() => expect(registers()).toEqual([400, 1, 90]))

  arbiter.claim('limit', 'deviation', undefined)
  await until(() => expect(arbiter.isHeld('limit')).toBe(false))
  expect(registers()).toEqual([700, 0, 0])
  expect(entries().at(-1)).toMatchObject({ phase: 'released', readBack: 70 })
  written.length = 0
  await clock.advance(120_000)
  expect(written).toEqual([])
})
