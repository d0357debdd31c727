import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { plantroom } from './support/run.ts'
import { operatorShell, partnerShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

const POWER = 'Charge power'

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack()
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const hold = (...args: string[]) => plantroom(['hold', ...args], operatorShell(stack))
const listed = async () => {
  const { code, stdout, stderr } = await hold('list', stack.deviceId, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('plantroom hold lists what a controller holds, and closes what it cannot restore', async () => {
  const close = () =>
    hold('close', stack.deviceId, POWER, '--outcome', 'abandoned', '--reason', 'the inverter is replaced', '--json')
  expect(await listed()).toMatchObject({ deviceId: stack.deviceId, live: true, ageSeconds: 0, holds: [] })
  const refused = await close()
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`${POWER} is not held`)])

  const placed = await plantroom(['dr', 'override', POWER, '-20', '--for', '10m', '--json'], partnerShell(stack))
  const { id } = JSON.parse(placed.stdout)
  await dispatcher.registerBecomes(POWER, -20)
  await eventually(async () => {
    const { holds } = await listed()
    expect(holds).toMatchObject([{ name: POWER, state: 'holding', value: -20, lastRead: -20, trouble: null }])
  })
  const held = await close()
  expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('cancel its overrides first')])

  stack.simulator.send({ faults: ['modbus:ignore-writes'] })
  await plantroom(['dr', 'cancel', id], partnerShell(stack))
  await eventually(async () => {
    const { holds } = await listed()
    expect(holds).toMatchObject([{ state: 'releasing', by: 'plain', value: 5, lastRead: -20, trouble: 'not-taken' }])
  })
  const closed = await close()
  expect({ code: closed.code, stderr: closed.stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(closed.stdout)).toEqual({
    deviceId: stack.deviceId,
    datapointId: stack.datapointId(POWER),
    outcome: 'abandoned',
    readBack: -20,
  })
  stack.simulator.send({ faults: [] })
  await eventually(async () => expect((await listed()).holds).toEqual([]))
  expect(await dispatcher.register(POWER)).toBe(-20)
})
