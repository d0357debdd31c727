import { describe, expect, test } from 'vitest'
import { BACNET, dissect, withoutTshark } from '../testing/tshark.ts'
import { startBench } from './testing/bench.ts'
import type { SimulatedDevice } from './testing/device-simulator.ts'

const OBJECTS = {
  'analog-value,1': {},
  'analog-input,1': { reliability: 1 },
  'binary-output,1': {},
  'multi-state-value,1': { fallback: 1 },
  'analog-value,2': { isLocked: true },
}
const DATA = {
  'analog-value,1': { units: 'degrees-celsius' },
  'binary-output,1': { states: ['Off', 'On'] },
  'multi-state-value,1': { states: ['Off', 'Low', 'High'] },
}

/** Everything that a driver asks of a device, and every kind of answer. */
async function exchangeEverything(device: Partial<SimulatedDevice>, settings: Record<string, unknown> = {}) {
  const bench = await startBench(OBJECTS, { device, data: DATA, settings: { deviceInstance: 1234, ...settings } })
  await bench.open()
  await bench.read()
  await bench.driver.write('analog-value,1', 21.5)
  await bench.driver.write('binary-output,1', 1)
  await bench.driver.write('multi-state-value,1', 3)
  await expect(bench.driver.write('analog-value,2', 3)).rejects.toThrow('write access denied')
  await bench.driver.relinquish?.('analog-value,1')
  await bench.read()
  bench.device.isBusy = true
  await bench.driver.read(['analog-value,1'], { urgent: true })
  return bench.device.datagrams
}

/** The registration at a BBMD, and the search for a device. */
async function exchangeBehindBbmd() {
  const bbmd = await startBench({ 'analog-value,1': {} }, { device: { registrationResult: 0 } })
  const foreignDevice = { host: '127.0.0.1', port: bbmd.device.port }
  const bench = await startBench({ 'analog-value,1': {} }, { settings: { deviceInstance: 1234, foreignDevice } })
  await bench.open()
  return bbmd.device.datagrams
}

const DEVICES: Record<string, [Partial<SimulatedDevice>, Record<string, unknown>?]> = {
  'of today': [{}],
  'that answers in segments': [{ segmentAt: 60 }],
  'that aborts what is long': [{ maxAnswer: 60 }],
  'that is old': [{ readsMultiple: false, offersCov: false }],
  'behind a router': [{ behind: { network: 5, mac: Uint8Array.of(7) } }, { network: 5, mac: 7 }],
}

describe.skipIf(withoutTshark)('a third-party reader of frames: tshark', () => {
  test('reads every frame of every kind of device', async () => {
    const datagrams = await exchangeBehindBbmd()
    for (const about of Object.values(DEVICES)) datagrams.push(...(await exchangeEverything(...about)))
    const dissected = await dissect(datagrams, BACNET)
    expect(dissected).toHaveLength(datagrams.length)
    expect(dissected.filter(({ isWrong }) => isWrong)).toEqual([])
    expect(dissected.filter(({ protocols }) => !/bvlc(?::bacnet:bacapp)?$/.test(protocols))).toEqual([])
    const infos = dissected.map(({ info }) => info).join('\n')
    const kinds = [
      'Register-Foreign-Device',
      'who-Is',
      'readPropertyMultiple',
      'writeProperty',
      'subscribeCOV',
      'Reassembled',
    ]
    for (const kind of kinds) expect(infos).toContain(kind)
  })

  test('finds what is wrong: the referee is awake', async () => {
    const [first] = await exchangeEverything({})
    const bytes = (first?.bytes ?? new Uint8Array()).slice(0, -1)
    bytes[3] = bytes.length
    expect((await dissect([{ bytes, isOurs: true }], BACNET))[0]?.isWrong).toBe(true)
  })
})
