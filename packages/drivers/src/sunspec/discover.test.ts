import { systemClock } from '@plantroom/base/clock'
import { expect, onTestFinished, test } from 'vitest'
import { createRegisterBank } from '../modbus/testing/register-bank.ts'
import { startScriptedPeer } from '../modbus/testing/scripted-peer.ts'
import { scan } from '../testing/scan.ts'
import { putModels } from './testing/device-registers.ts'
import { createSunspec } from './testing/sunspec-rig.ts'

test('a scan finds the devices that describe themselves, with their points, as a commissioning file takes them', async () => {
  const bank = createRegisterBank()
  putModels(bank, [
    { model: 1, values: {} },
    { model: 103, values: { W: 42, W_SF: -1 } },
    { model: 124, values: { MinRsvPct: 200, MinRsvPct_SF: -1 } },
  ])
  const functions = new Set<number>()
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  peer.serve((request) => {
    functions.add(request.functionCode)
    if (request.unitId === 1) return bank.answer(request)
    request.answer([request.functionCode | 0x80, 2])
  })
  const settings = { host: '127.0.0.1', port: peer.port, timeoutMs: 10_000 }
  const protocol = createSunspec({ clock: systemClock })
  const { found, warnings } = await scan(protocol, { ...settings, unitIds: '1-2' })
  expect(found).toMatchObject([{ protocol: 'sunspec', settings: { ...settings, unitId: 1 }, warnings: [] }])
  expect(warnings).toEqual([expect.stringMatching(/^unit 2 at /)])
  expect(functions).toEqual(new Set([3]))
  const datapoints = found[0]?.datapoints ?? []
  expect(datapoints.find(({ data }) => data.point === 'W')).toMatchObject({
    ...{ name: 'W (103)', accessType: 'READ', data: { model: 103, point: 'W' }, unit: 'W', raw: 4.2, warnings: [] },
  })
  expect(datapoints.find(({ data }) => data.point === 'MinRsvPct')).toMatchObject({
    ...{ accessType: 'READ', commandable: true, raw: 20, warnings: [expect.stringContaining('within which bounds')] },
  })
  for (const { settings, datapoints } of found) expect(protocol.check({ settings, datapoints })).toEqual([])
})
