import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { createConnections } from './connections.ts'

const datapoints = [
  aDatapoint({ id: 'meter', accessType: 'READ' }),
  aDatapoint({ id: 'setpoint', accessType: 'READ_WRITE' }),
  aDatapoint({ id: 'command', accessType: 'WRITE' }),
]
const inverter = (settings: Record<string, unknown> = {}) =>
  aConnection({
    ...{ id: 'con_1', name: 'Inverter', datapoints },
    settings: { points: { meter: 5, setpoint: 20, command: 0 }, ...settings },
  })

async function started(connection = inverter()) {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const log = createLog('edge', 'silent')
  const connections = createConnections({ protocols: { 'modbus-tcp': protocol }, clock, log })
  onTestFinished(() => connections.close())
  await connections.apply(aSystem('sys', [connection]))
  await clock.advance(0)
  const link = () => {
    const found = connections.get('con_1')
    if (!found) throw new Error('there is no con_1')
    return found
  }
  const driver = () => protocol.driver('con_1')
  const figures = () => connections.figures()[0]
  return { clock, connections, protocol, link, driver, figures }
}

const none = { reads: 0, readErrors: 0, writes: 0, timeouts: 0, exceptions: 0, reconnects: 0 }

describe('the counters of a connection', () => {
  test('start at zero and name the connection', async () => {
    const { connections, protocol } = await started(inverter({ pollSeconds: 60 }))
    await connections.apply(aSystem('other', [aConnection({ id: 'con_2' })]))
    expect(connections.figures()).toEqual([
      { id: 'con_1', name: 'Inverter', protocol: 'modbus-tcp', status: 1, ...none, reads: 2 },
      { id: 'con_2', name: 'con_2', protocol: 'modbus-tcp', status: 2, ...none },
    ])
    expect(protocol.drivers.size).toBe(2)
  })

  test('count datapoints read by polls and on their own', async () => {
    const { clock, link, figures } = await started()
    await clock.advance(2000)
    expect(figures()).toMatchObject({ reads: 6 })
    await link().read('setpoint')
    expect(figures()).toEqual({ ...figures(), ...none, reads: 7 })
  })

  test('count writes that the equipment accepted, and no others', async () => {
    const { link, driver, figures } = await started()
    await link().write('setpoint', 21)
    await link().write('command', 1)
    driver().refuse.add('setpoint')
    await expect(link().write('setpoint', 22)).rejects.toThrow()
    expect(figures()).toMatchObject({ writes: 2 })
  })

  test('count unreadable datapoints, whatever the cause', async () => {
    const { clock, link, driver, figures } = await started()
    driver().points.set('meter', 'stale').set('setpoint', Number.NaN)
    await clock.advance(1000)
    expect(figures()).toMatchObject({ reads: 2, readErrors: 2, exceptions: 0, timeouts: 0, status: 1 })
    await expect(link().read('meter')).rejects.toThrow()
    expect(figures()).toMatchObject({ readErrors: 3 })
  })

  test('count the timeouts and exceptions that the driver reports, and no others', async () => {
    const { clock, driver, figures } = await started()
    const { listener } = driver()
    driver().cut = 'refused'
    await clock.advance(10_000)
    expect(figures()).toMatchObject({ status: -1, timeouts: 0, exceptions: 0 })
    for (let count = 0; count < 3; count += 1) listener?.timedOut()
    for (let count = 0; count < 2; count += 1) listener?.exception()
    expect(figures()).toMatchObject({ timeouts: 3, exceptions: 2 })
  })

  test('count each time a lost link comes back', async () => {
    const { clock, driver, figures } = await started()
    for (const turn of [1, 2]) {
      driver().cut = 'silence'
      await clock.advance(1000)
      expect(figures()).toMatchObject({ status: -1, reconnects: turn - 1 })
      driver().cut = undefined
      await clock.advance(1000)
      expect(figures()).toMatchObject({ status: 1, reconnects: turn })
    }
  })

  test('continue when the connection restarts, whose first link does not count as a reconnect', async () => {
    const { clock, connections, figures } = await started()
    await connections.apply(aSystem('sys', [inverter({ pollSeconds: 5 })]))
    await clock.advance(0)
    expect(figures()).toMatchObject({ ...none, reads: 4 })
  })

  test('ignore requests that closing cuts short', async () => {
    const { clock, connections, driver, figures } = await started()
    const { listener } = driver()
    await connections.apply(aSystem('sys', [inverter({ pollSeconds: 5 })]))
    await clock.advance(0)
    listener?.timedOut()
    listener?.exception()
    expect(figures()).toMatchObject({ timeouts: 0, exceptions: 0 })
    driver().listener?.timedOut()
    expect(figures()).toMatchObject({ timeouts: 1 })
  })

  test('are dropped with the connection', async () => {
    const { clock, connections, figures } = await started()
    await connections.apply(aSystem('sys', []))
    expect(connections.figures()).toEqual([])
    await connections.apply(aSystem('sys', [inverter()]))
    await clock.advance(0)
    expect(figures()).toMatchObject({ reads: 2 })
  })

  test('count no timeout when the device has no driver', async () => {
    const { clock, figures } = await started({ ...inverter(), protocol: 'obix' })
    await clock.advance(10_000)
    expect(figures()).toMatchObject({ ...none, status: -1 })
  })
})
