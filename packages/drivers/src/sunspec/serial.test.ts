import { systemClock } from '@plantroom/base/clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { connectionOf, never } from '../modbus/testing/bench.ts'
import { startLineUnit } from '../modbus/testing/line-unit.ts'
import { startPtyPair, withoutSocat } from '../modbus/testing/pty-pair.ts'
import { createRegisterBank } from '../modbus/testing/register-bank.ts'
import { pointAt, putModels } from './testing/device-registers.ts'
import { createSunspec } from './testing/sunspec-rig.ts'

test.skipIf(withoutSocat)('a device on a serial line is found, read and controlled', async () => {
  const pair = await startPtyPair(temporaryFolder())
  onTestFinished(() => pair.stop())
  const bank = createRegisterBank()
  const values = { WMaxLimPct: 70, WMaxLimPct_SF: 0, WMaxLim_Ena: 0, WMaxLimPct_RvrtTms: 0 }
  const [model] = putModels(bank, [{ model: 123, values }])
  if (!model) return expect.fail('no model')
  startLineUnit(pair.theirs, bank.answer)
  const points = { limit: { model: 123, point: 'WMaxLimPct' } }
  // The peer answers on the real clock, which a busy machine delays.
  const connection = connectionOf(points, { path: pair.ours, timeoutMs: 10_000 })
  const driver = createSunspec({ clock: systemClock }).connect({ ...connection, protocol: 'sunspec' })
  onTestFinished(() => driver.close())
  await driver.open(never)
  expect(await driver.armReversion?.('limit')).toBe(120)
  await driver.write('limit', 40)
  expect(await driver.read(['limit'])).toEqual([{ raw: 40 }])
  const paths = ['WMaxLimPct', 'WMaxLim_Ena', 'WMaxLimPct_RvrtTms']
  expect(paths.map((path) => pointAt(bank, model, path))).toEqual([40, 1, 120])
})
