import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { sleep, systemClock } from '@plantroom/base/clock'
import type { Driver } from '@plantroom/drivers/driver'
import { createSerialProtocol } from '@plantroom/drivers/modbus/driver'
import { lineTimes } from '@plantroom/drivers/modbus/rtu/serial'
import { startLineUnit } from '@plantroom/drivers/modbus/testing/line-unit'
import { startPtyPair } from '@plantroom/drivers/modbus/testing/pty-pair'
import type { PeerRequest } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { against, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

const SETTINGS = { baudRate: 19_200, parity: 'even', stopBits: 1 } as const
const { characterMs, silenceMs } = lineTimes(SETTINGS)
const REQUEST_CHARACTERS = 8
const UNITS = 10
const TIMEOUT_MS = 500
const ROUNDS = 7
const READS = 20
const RELEASES = 20

/**
 * Measures a serial line at 19,200 baud against its own arithmetic, and releases while half of its units are silent. The
 * line is a pseudo-terminal, which has no speed: the unit at its end answers when a line would have carried the answer.
 */
export async function benchLine(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-line-'))
  const pair = await startPtyPair(folder)
  const silent = new Set<number>()
  startLineUnit(pair.theirs, (request) => {
    if (!silent.has(request.unitId)) void answer(request)
  })
  const protocol = createSerialProtocol({ clock: systemClock })
  const open = async (unitId: number, registers: number) => {
    const driver = protocol.connect(
      aConnection({
        name: `Unit ${unitId}`,
        protocol: 'modbus-rtu',
        settings: { path: pair.ours, ...SETTINGS, unitId, timeoutMs: TIMEOUT_MS },
        datapoints: Array.from({ length: registers }, (_, register) =>
          aDatapoint({ id: `${register}`, accessType: 'READ_WRITE', data: { register, type: 'uint16' } }),
        ),
      }),
    )
    await driver.open(new AbortController().signal)
    return driver
  }
  try {
    return [await measureRate(open, 125), await measureRate(open, 10), ...(await measureReleases(open, silent))]
  } finally {
    await pair.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Open = (unitId: number, registers: number) => Promise<Driver>

/** Answers as late as a line of this speed would have carried request and answer. */
async function answer(request: PeerRequest<Duplex>): Promise<void> {
  const characters = REQUEST_CHARACTERS + (request.functionCode === 3 ? 5 + 2 * request.count : REQUEST_CHARACTERS)
  const at = performance.now() + characters * characterMs + silenceMs
  await sleep(systemClock, Math.max(0, at - performance.now() - 3))
  while (performance.now() < at) await setImmediate()
  if (request.functionCode === 3) request.answerRegisters(...Array.from({ length: request.count }, () => 7))
  else request.answer([request.functionCode, ...request.body.subarray(0, 4)])
}

async function measureRate(open: Open, registers: number): Promise<Measurement> {
  const driver = await open(1, registers)
  const ids = Array.from({ length: registers }, (_, register) => `${register}`)
  const cycleMs = (REQUEST_CHARACTERS + 5 + 2 * registers) * characterMs + 2 * silenceMs
  await driver.read(ids)
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now()
    for (let read = 0; read < READS; read += 1) await driver.read(ids)
    rates.push((READS * registers * 1000) / (performance.now() - from))
  }
  await driver.close()
  const floor = (registers * 1000) / cycleMs
  const note = `${SETTINGS.baudRate} baud, 8E1; floor: characters and silences alone; target: 0.9 of it`
  return against(
    `registers per second, ${registers} a read`,
    rates,
    '/s',
    rates.map(() => floor),
    note,
  )
}

/** Times writes that release a healthy unit while all units are polled. */
async function measureReleases(open: Open, silent: Set<number>): Promise<Measurement[]> {
  const registers = 20
  const ids = Array.from({ length: registers }, (_, register) => `${register}`)
  const drivers = await Promise.all(Array.from({ length: UNITS }, (_, index) => open(index + 1, registers)))
  const [healthy] = drivers
  if (!healthy) throw new Error('a line without units')
  let isOver = false
  const polls = drivers.map(async (driver) => {
    while (!isOver) {
      await driver.read(ids).catch(() => {})
      await sleep(systemClock, 100)
    }
  })
  const floor = await releaseDelays(healthy)
  for (let unitId = UNITS / 2 + 1; unitId <= UNITS; unitId += 1) silent.add(unitId)
  const onset = await releaseDelays(healthy)
  const later = await releaseDelays(healthy)
  isOver = true
  await Promise.all(polls)
  for (const driver of drivers) await driver.close()

  const note = `${UNITS} units polled, ${RELEASES} releases; floor: none silent; target for the worst: under ${TIMEOUT_MS + 200} ms`
  const both = (name: string, delays: readonly number[]) => [
    against(`${name}, median`, [median(delays)], 'ms', [median(floor)], note),
    against(`${name}, worst`, [Math.max(...delays)], 'ms', [Math.max(...floor)], note),
  ]
  return [...both('release, half falls silent', onset), ...both('release, half is silent', later)]
}

async function releaseDelays(driver: Driver): Promise<readonly number[]> {
  const delays: number[] = []
  for (let count = 0; count < RELEASES; count += 1) {
    // At another moment of the polls each time.
    await sleep(systemClock, 150 + 37 * (count % 11))
    const from = performance.now()
    await driver.write('0', 7, { release: true })
    delays.push(performance.now() - from)
  }
  return delays
}
