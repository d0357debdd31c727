import { createLog } from '@plantroom/base/log'
import { createModbusProtocol } from '@plantroom/drivers/modbus/driver'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { watchTraffic } from '@plantroom/testkit/watch-traffic'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections } from '../connections/connections.ts'
import { metricsText } from './text.ts'

const TIMEOUT_MS = 20_000
const FIRST = 10
const MISSING = 13
const READABLE = 9

/** Equipment with ten registers, one of them missing, that counts its answers and can fall silent. */
async function startInverter(passTime: (ms: number) => void) {
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  const done = { refused: 0, ignored: 0 }
  const equipment = { peer, done, silent: false }
  peer.serve((question) => {
    const { address, count, functionCode } = question
    const registers = Array.from({ length: count }, (_, index) => address + index)
    if (equipment.silent) {
      done.ignored += 1
      passTime(TIMEOUT_MS)
    } else if (registers.includes(MISSING) || functionCode > 4) {
      done.refused += 1
      question.answer([functionCode | 0x80, 2])
    } else question.answerRegisters(...registers)
  })
  return equipment
}

/** Returns a clock that fires no timer while a request or an answer is on its way. */
function clockForSockets() {
  const traffic = watchTraffic()
  onTestFinished(() => traffic.stop())
  return createManualClock(undefined, traffic.settled)
}

function inverterAt(port: number) {
  const datapoints = Array.from({ length: READABLE + 1 }, (_, index) =>
    aDatapoint({ id: `r${index}`, accessType: 'READ_WRITE', data: { register: FIRST + index, type: 'uint16' } }),
  )
  const settings = { host: '127.0.0.1', port, timeoutMs: TIMEOUT_MS }
  return aConnection({ id: 'con_1', name: 'Inverter', datapoints, settings })
}

test("the metrics match the equipment's own count of timeouts and exceptions", async () => {
  const clock = clockForSockets()
  const equipment = await startInverter((ms) => clock.advanceNow(ms))
  const protocols = { 'modbus-tcp': createModbusProtocol({ clock }) }
  const connections = createConnections({ protocols, clock, log: createLog('edge', 'silent') })
  onTestFinished(() => connections.close())
  const figure = (name: string) => {
    const text = metricsText({ connections: connections.figures(), journalFlushes: 0 })
    return Number(new RegExp(`^plantroom_edge_${name}\\{.*\\} (.*)$`, 'm').exec(text)?.[1])
  }
  const meanwhile = (holds: () => void) =>
    eventually(async () => {
      await clock.advance(500)
      holds()
    })

  await connections.apply(aSystem('sys', [inverterAt(equipment.peer.port)]))
  await meanwhile(() => expect(figure('reads_total')).toBe(5 * READABLE))
  await expect(connections.get('con_1')?.write('r0', 1)).rejects.toThrow('exception 2')
  // The first reading fails for the block, its halves and the missing register; later ones for that register only.
  expect(equipment.done.refused).toBeGreaterThan(5)
  expect(figure('exceptions_total')).toBe(equipment.done.refused)
  expect(figure('read_errors_total')).toBe(5)
  expect(figure('timeouts_total')).toBe(0)

  equipment.silent = true
  await meanwhile(() => expect(figure('connection_status')).not.toBe(1))
  equipment.silent = false
  await meanwhile(() => expect(figure('connection_status')).toBe(1))
  expect(figure('timeouts_total')).toBe(equipment.done.ignored)
  expect(figure('exceptions_total')).toBe(equipment.done.refused)
  expect(figure('reconnects_total')).toBe(1)
})

test('the metrics show a closed link immediately, even if the next poll is an hour away', async () => {
  const clock = clockForSockets()
  const equipment = await startInverter(() => {})
  const config = inverterAt(equipment.peer.port)
  const protocols = { 'modbus-tcp': createModbusProtocol({ clock }) }
  const connections = createConnections({ protocols, clock, log: createLog('edge', 'silent') })
  onTestFinished(() => connections.close())
  await connections.apply(aSystem('sys', [{ ...config, settings: { ...config.settings, pollSeconds: 3600 } }]))
  const shown = () => JSON.parse(connections.get('con_1')?.values() ?? '{}')
  await eventually(() => expect(shown()).toMatchObject({ status: 1, error: null }))
  await clock.advance(1000)

  await equipment.peer.stop()
  const error = `127.0.0.1:${equipment.peer.port} refused the connection`
  await eventually(() => expect(shown()).toMatchObject({ status: -1, error }))
  const back = await startScriptedPeer(equipment.peer.port)
  onTestFinished(() => back.stop())
  back.serve((question) => question.answerRegisters(...Array(question.count).fill(7)))
  await eventually(async () => {
    await clock.advance(500)
    expect(shown()).toMatchObject({ status: 1, error: null })
  })
  expect(connections.figures()[0]).toMatchObject({ reconnects: 1, timeouts: 0 })
})
