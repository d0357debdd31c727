import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createCountingListener } from '../testing/counting-listener.ts'
import { never, type Points, useBench } from './testing/bench.ts'
import { createRegisterBank } from './testing/register-bank.ts'

const bench = useBench()

const ROW: Points = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`r${index}`, { register: index, type: 'uint16' }]),
)
const IDS = Object.keys(ROW)
const VALUES = IDS.map((_, index) => ({ raw: index }))

/** Serves eight registers, register n with n. Requests that `code` returns an exception for are refused. */
function serve(code: (request: { isWrite: boolean; addresses: readonly number[] }) => number | undefined) {
  const bank = createRegisterBank()
  for (let register = 0; register < 8; register += 1) bank.holding.set(register, register)
  const asked: string[] = []
  bench.peer.serve((request) => {
    const { functionCode, address, count } = request
    const isWrite = functionCode > 4
    asked.push(`${isWrite ? 'write' : 'read'} ${address}+${isWrite ? 1 : count}`)
    const addresses = Array.from({ length: isWrite ? 1 : count }, (_, index) => address + index)
    const exception = code({ isWrite, addresses })
    if (exception === undefined) bank.answer(request)
    else request.answer([functionCode | 0x80, exception])
  })
  return { asked, bank }
}

describe('a write that is answered with exception', () => {
  test.each([
    [1, 'rejected'],
    [2, 'rejected'],
    [3, 'rejected'],
    [4, 'offline'],
    [6, 'offline'],
    [7, 'rejected'],
    [10, 'offline'],
    [11, 'offline'],
  ])('%i fails as %s, on the same socket, and its unit is not silent', async (code, kind) => {
    let exception: number | undefined = code
    serve(({ isWrite }) => (isWrite ? exception : undefined))
    const events = createCountingListener()
    const driver = bench.protocol.connect(bench.connection(ROW), events)
    await driver.open(never)
    await expect(driver.write('r3', 7)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(`exception ${code}`),
    })
    expect(await driver.read(IDS)).toEqual(VALUES)
    expect(events).toMatchObject({ timeouts: 0, exceptions: 1, losses: [] })
    expect(bench.peer.accepted()).toBe(1)
    exception = undefined
    bench.clock.advanceNow(1000)
    await driver.write('r3', 7)
    expect(await driver.read(['r3'])).toEqual([{ raw: 7 }])
    await driver.close()
  })

  test('5 is done, and only a reading shows when the equipment has carried it out', async () => {
    const { bank } = serve(({ isWrite }) => (isWrite ? 5 : undefined))
    const driver = await bench.open(ROW)
    await driver.write('r3', 7)
    expect(await driver.read(['r3'], { urgent: true })).toEqual([{ raw: 3 }])
    bank.holding.set(3, 7)
    expect(await driver.read(['r3'], { urgent: true })).toEqual([{ raw: 7 }])
  })
})

describe.each([4, 5, 6, 10, 11])('exception %i on a read', (code) => {
  test('once leaves no trace: the next poll reads everything in one request', async () => {
    let left = 1
    const { asked } = serve(() => (left-- > 0 ? code : undefined))
    const driver = await bench.open(ROW)
    await driver.read(IDS).catch(() => {})
    await eventually(async () => {
      bench.clock.advanceNow(1000)
      expect(await driver.read(IDS)).toEqual(VALUES)
      asked.length = 0
      expect(await driver.read(IDS)).toEqual(VALUES)
      expect(asked).toEqual(['read 0+8'])
    })
  })

  test('of one value costs the others nothing, and is retried by every poll', async () => {
    let exception: number | undefined = code
    const { asked } = serve(({ addresses }) => (addresses.includes(5) ? exception : undefined))
    const driver = await bench.open(ROW)
    for (let turn = 0; turn < 4; turn += 1) {
      asked.length = 0
      const readings = await driver.read(IDS)
      expect(readings.filter((_, index) => index !== 5)).toEqual(VALUES.filter((_, index) => index !== 5))
      expect(readings[5]).toEqual({ error: expect.stringContaining(`exception ${code}`) })
      expect(asked.some((each) => each === 'read 5+1' || each === 'read 0+8')).toBe(true)
      bench.clock.advanceNow(60_000)
    }
    exception = undefined
    expect(await driver.read(IDS)).toEqual(VALUES)
  })
})

describe('equipment that is busy', () => {
  test('with several values for long is asked for all of them by every poll', async () => {
    const busy = [1, 3, 5]
    const { asked } = serve(({ addresses }) => (addresses.some((each) => busy.includes(each)) ? 6 : undefined))
    const driver = await bench.open(ROW)
    for (let turn = 0; turn < 4; turn += 1) {
      asked.length = 0
      await driver.read(IDS)
      for (const register of busy) expect(asked).toContain(`read ${register}+1`)
    }
    busy.pop()
    const readings = await driver.read(IDS)
    expect(readings[5]).toEqual({ raw: 5 })
    expect(readings[1]).toEqual({ error: expect.stringContaining('exception 6') })
  })
})
