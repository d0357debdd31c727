import { systemClock } from '@plantroom/base/clock'
import { describe, expect, test } from 'vitest'
import { never, OFFLINE, REJECTED } from '../testing/driver-rig.ts'
import { SERVICE } from './apdu.ts'
import { createBacnetProtocol } from './driver.ts'
import { connectionOf, startBench } from './testing/bench.ts'
import { presentValue } from './testing/objects.ts'

const MANY = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`analog-value,${index}`, { fallback: index }]),
)
const ALL = Array.from({ length: 60 }, (_, index) => ({ raw: index }))
const POLL = { mode: 'poll' }

const count = (requests: readonly number[], service: number) => requests.filter((each) => each === service).length

describe('a device with its own limits is read completely', () => {
  test.each([
    ['one that aborts: segmentation not supported', { maxAnswer: 200 }],
    ['one that answers in segments', { segmentAt: 100 }],
    ['one with 480-byte messages', { maxApdu: 480 }],
    ['one with 50-byte messages', { maxApdu: 50, maxAnswer: 47 }],
    ['one without ReadPropertyMultiple', { readsMultiple: false }],
  ])('%s', async (_, device) => {
    const bench = await startBench(MANY, { device, settings: POLL })
    await bench.open()
    for (let turn = 0; turn < 2; turn += 1) expect(await bench.read()).toEqual(ALL)
    const own = bench.device.datagrams.filter(({ isOurs }) => isOurs).map(({ bytes }) => bytes.length)
    expect(Math.max(...own)).toBeLessThanOrEqual(bench.device.maxApdu + 20)
  })

  test('one that fails as a whole for an object that it does not have: the others keep their values', async () => {
    const objects = { 'analog-value,1': { fallback: 5 }, 'analog-value,2': { fallback: 6 }, 'analog-value,3': {} }
    const bench = await startBench(objects, { device: { failsAsAWhole: true }, settings: POLL })
    await bench.open()
    ;(bench.device.objects as Map<string, unknown>).delete('analog-value,3')
    const expected = [{ raw: 5 }, { raw: 6 }, { error: 'the device reports: unknown object' }]
    expect(await bench.read()).toEqual(expected)
    bench.device.requests.length = 0
    expect(await bench.read()).toEqual(expected)
    // The object that is missing is asked alone, so that the others cost one request.
    expect(count(bench.device.requests, SERVICE.readPropertyMultiple)).toBe(2)
  })

  test('one whose object is silent: only that point has an error, and it is paused', async () => {
    const bench = await startBench(
      { 'analog-value,1': { fallback: 5 }, 'analog-value,2': { isSilent: true }, 'analog-value,3': { fallback: 7 } },
      { settings: POLL },
    )
    await bench.open()
    const expected = [{ raw: 5 }, { error: 'analog-value,2 did not answer' }, { raw: 7 }]
    expect(await bench.whileTimePasses(bench.read())).toEqual(expected)
    bench.device.requests.length = 0
    expect(await bench.read()).toEqual(expected)
    expect(bench.device.requests).toHaveLength(1)
  })

  test('one that is busy: readings are errors, writes are offline, and both work again later', async () => {
    const bench = await startBench({ 'analog-value,1': { fallback: 5 } }, { settings: POLL })
    await bench.open()
    bench.device.isBusy = true
    expect(await bench.read()).toEqual([{ error: 'the device aborted the request: out of resources' }])
    await expect(bench.driver.write('analog-value,1', 7)).rejects.toThrow(OFFLINE)
    bench.device.isBusy = false
    await bench.driver.write('analog-value,1', 7)
    expect(await bench.read()).toEqual([{ raw: 7 }])
  })
})

describe('a device with another id', () => {
  test('is not opened', async () => {
    const bench = await startBench({ 'analog-value,1': {} }, { settings: { deviceInstance: 99 } })
    await expect(bench.open()).rejects.toThrow('is device 1234, not device 99: correct host or deviceInstance')
    await expect(bench.driver.write('analog-value,1', 7)).rejects.toThrow(OFFLINE)
    expect(bench.device.written).toEqual([])
  })

  test('that takes the place of ours is noticed by a poll, and not written any more', async () => {
    const bench = await startBench({ 'analog-value,1': {} }, { settings: { ...POLL, deviceInstance: 1234 } })
    await bench.open()
    bench.device.instance = 99
    await expect(bench.read()).rejects.toThrow('not device 1234')
    await expect(bench.driver.write('analog-value,1', 7)).rejects.toThrow(OFFLINE)
    expect(bench.device.written).toEqual([])
  })
})

describe('what an object says about itself', () => {
  test('makes its reading an error: out of service, faults by name', async () => {
    const objects = {
      'analog-input,1': { isOutOfService: true },
      'analog-input,2': { reliability: 1 },
      'analog-input,3': {},
    }
    const bench = await startBench(objects)
    await bench.open()
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await bench.read()).toEqual([
        { error: 'the object is out of service: its value is not that of the equipment' },
        { error: 'the object reports a fault: no sensor' },
        { raw: 0 },
      ])
    }
    bench.object('analog-input,2').reliability = 0
    bench.device.announce(bench.object('analog-input,2'))
    expect((await bench.driver.read(['analog-input,2'], { urgent: true }))[0]).toEqual({ raw: 0 })
  })

  test('must agree with the unit and the states of the file', async () => {
    const data = {
      'analog-value,1': { units: 'degrees-celsius' },
      'analog-value,2': { units: 'degrees-celsius' },
      'multi-state-value,1': { states: ['Off', 'Low', 'High'] },
      'multi-state-value,2': { states: ['Off', 'On'] },
      'binary-value,1': { states: ['Off', 'On'] },
      'binary-value,2': { states: ['On', 'Off'] },
    }
    const objects = {
      'analog-value,1': {},
      'analog-value,2': { units: 'degrees-fahrenheit' },
      ...{ 'multi-state-value,1': { fallback: 3 }, 'multi-state-value,2': { fallback: 1 } },
      ...{ 'binary-value,1': { fallback: 1 }, 'binary-value,2': {} },
    }
    const bench = await startBench(objects, { data, settings: POLL })
    await bench.open()
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await bench.read()).toEqual([
        { raw: 0 },
        { error: 'the object is in degrees fahrenheit, but was commissioned in degrees celsius' },
        { raw: 3 },
        { error: 'the states of the object are Off, Low, High, but it was commissioned with Off, On' },
        { raw: 1 },
        { error: 'the states of the object are Off, On, but it was commissioned with On, Off' },
      ])
    }
    expect(() => bench.driver.nearest('multi-state-value,1', 4)).toThrow('its states are 1 Off, 2 Low, 3 High')
    expect(bench.driver.nearest('multi-state-value,1', 2.4)).toBe(2)
  })
})

describe('a release', () => {
  const SLOT = 10
  const VALUE = 'analog-value,1'

  test.each([
    VALUE,
    'analog-output,1',
    'binary-value,1',
    'binary-output,1',
    'multi-state-value,1',
    'multi-state-output,1',
  ])('of %s empties our slot and no other', async (id) => {
    const bench = await startBench({ [id]: { fallback: 1 } }, { settings: { priority: 12 } })
    await bench.open()
    const { slots } = bench.object(id)
    if (!slots) throw new Error('no slots')
    slots[15] = 1
    await bench.driver.write(id, 1)
    expect(slots[11]).toBe(1)
    expect(await bench.driver.relinquish?.(id)).toBe(true)
    expect(slots.map((value, index) => (value === undefined ? '' : index + 1)).join('')).toBe('16')
  })

  test('of a point that an operator holds leaves the operator', async () => {
    const bench = await startBench({ [VALUE]: {} })
    await bench.open()
    await bench.driver.write(VALUE, 21)
    const { slots } = bench.object(VALUE)
    if (slots) slots[7] = 19
    expect(await bench.driver.relinquish?.(VALUE)).toBe(true)
    expect(await bench.driver.read([VALUE], { urgent: true })).toEqual([{ raw: 19 }])
    expect(slots?.[SLOT - 1]).toBeUndefined()
  })

  test('that is accepted and changes nothing is rejected', async () => {
    const bench = await startBench({ [VALUE]: { ignoresNull: true } })
    await bench.open()
    await bench.driver.write(VALUE, 21)
    const released = bench.driver.relinquish?.(VALUE)
    await expect(released).rejects.toThrow('accepted NULL at priority 10, but its value is still there')
    await expect(bench.driver.relinquish?.(VALUE)).rejects.toThrow(REJECTED)
    expect(presentValue(bench.object(VALUE))).toBe(21)
  })

  test('of an object without priorities sends nothing: the earlier value is written back instead', async () => {
    const bench = await startBench({ [VALUE]: { slots: undefined, fallback: 5 } })
    await bench.open()
    await bench.driver.write(VALUE, 21)
    expect(await bench.driver.relinquish?.(VALUE)).toBe(false)
    expect(bench.device.written).toHaveLength(1)
    await bench.driver.write(VALUE, 5, { release: true })
    expect(presentValue(bench.object(VALUE))).toBe(5)
  })

  test('works for a device that was rebooted in between and forgot everything', async () => {
    const bench = await startBench({ [VALUE]: { fallback: 5 } })
    await bench.open()
    await bench.driver.write(VALUE, 21)
    bench.object(VALUE).slots?.fill(undefined)
    bench.device.reboot()
    expect(await bench.driver.relinquish?.(VALUE)).toBe(true)
    expect(await bench.driver.read([VALUE], { urgent: true })).toEqual([{ raw: 5 }])
  })
})

describe('announced changes', () => {
  const METER = 'analog-input,1'

  test('are shown without a request, and subscriptions are renewed before they lapse', async () => {
    const bench = await startBench({ [METER]: { fallback: 1 } })
    await bench.open()
    await bench.read()
    bench.device.requests.length = 0
    expect(await bench.read()).toEqual([{ raw: 1 }])
    expect(bench.device.requests).toEqual([])
    for (let minute = 0; minute < 10; minute += 1) {
      await bench.clock.advance(60_000)
      await bench.read()
    }
    expect(count(bench.device.requests, SERVICE.subscribeCov)).toBe(5)
    expect(bench.device.subscribers.size).toBe(1)
  })

  test('that a rebooted device no longer sends are missed for a minute at most, and subscribed to again', async () => {
    const bench = await startBench({ [METER]: { fallback: 1 } })
    await bench.open()
    await bench.read()
    bench.device.reboot()
    bench.object(METER).fallback = 2
    await bench.clock.advance(60_000)
    expect(await bench.read()).toEqual([{ raw: 2 }])
    expect(bench.device.subscribers.size).toBe(1)
  })

  test('that a device does not offer are polled', async () => {
    const bench = await startBench({ [METER]: { fallback: 1 } }, { device: { offersCov: false } })
    await bench.open()
    await bench.read()
    bench.object(METER).fallback = 2
    expect(await bench.read()).toEqual([{ raw: 2 }])
    expect(count(bench.device.requests, SERVICE.subscribeCov)).toBe(1)
  })

  test('of an older state are not shown after a write', async () => {
    const bench = await startBench({ 'analog-value,1': { fallback: 1 } })
    await bench.open()
    await bench.read()
    const { slots } = bench.object('analog-value,1')
    await bench.driver.write('analog-value,1', 7)
    // The device announces what it held before.
    if (slots) slots[9] = undefined
    bench.device.announce(bench.object('analog-value,1'))
    if (slots) slots[9] = 7
    expect(await bench.read()).toEqual([{ raw: 7 }])
  })
})

test('a name that is never found does not keep a connection from being closed', async () => {
  const protocol = createBacnetProtocol({ clock: systemClock, lookup: () => {} })
  const driver = protocol.connect(connectionOf(['analog-value,1'], { host: 'hanging.test' }))
  const opening = driver.open(never)
  const refused = expect(opening).rejects.toThrow(OFFLINE)
  await driver.close()
  await refused
})

describe('a BBMD', () => {
  const settings = (port: number) => ({
    deviceInstance: 1234,
    foreignDevice: { host: '127.0.0.1', port },
  })

  test('finds a device by its instance', async () => {
    const bbmd = await startBench({ 'analog-value,1': { fallback: 5 } }, { device: { registrationResult: 0 } })
    const bench = await startBench({ 'analog-value,1': {} }, { settings: settings(bbmd.device.port) })
    await bench.open()
    expect(await bench.read()).toEqual([{ raw: 5 }])
  })

  test('that refuses our registration is named', async () => {
    const bbmd = await startBench({}, { device: { registrationResult: 0x30 } })
    const bench = await startBench({ 'analog-value,1': {} }, { settings: settings(bbmd.device.port) })
    await expect(bench.open()).rejects.toThrow('refused our registration')
  })

  test('that does not answer is named', async () => {
    const bbmd = await startBench({}, { device: { isSilent: true } })
    const bench = await startBench({ 'analog-value,1': {} }, { settings: settings(bbmd.device.port) })
    await expect(bench.whileTimePasses(bench.open())).rejects.toThrow('did not answer our registration')
  })
})

describe('an object that follows another priority than ours', () => {
  test('says which one, what it holds, and whether it outranks ours', async () => {
    const bench = await startBench({ 'analog-value,1': {} })
    await bench.open()
    const inCharge = () => bench.driver.inCharge?.('analog-value,1')
    const { slots = [] } = bench.object('analog-value,1')
    await bench.driver.write('analog-value,1', 20)
    expect(await inCharge()).toBeUndefined()
    slots[7] = 21.5
    slots[12] = 5
    const operator = {
      name: 'priority 8 (the operator)',
      priority: 8,
      ours: 10,
      reading: { raw: 21.5 },
      outranks: true,
    }
    expect(await inCharge()).toEqual(operator)
    // A lower priority has no say as long as our value is there.
    slots[7] = undefined
    expect(await inCharge()).toBeUndefined()
    await bench.driver.relinquish?.('analog-value,1')
    const below = { name: 'priority 13', priority: 13, ours: 10, reading: { raw: 5 }, outranks: false }
    expect(await inCharge()).toEqual(below)
    slots[12] = undefined
    expect(await inCharge()).toBeUndefined()
  })

  test('says so of states, and nothing where the device hides its slots or has none', async () => {
    const objects = { 'binary-output,1': {}, 'analog-value,2': { slots: undefined } }
    const bench = await startBench(objects)
    await bench.open()
    bench.object('binary-output,1').slots?.splice(0, 1, 1)
    expect(await bench.driver.inCharge?.('binary-output,1')).toMatchObject({ priority: 1, reading: { raw: 1 } })
    expect(await bench.driver.inCharge?.('analog-value,2')).toBeUndefined()
  })
})
