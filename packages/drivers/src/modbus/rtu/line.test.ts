import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import { OFFLINE } from '../../testing/driver-rig.ts'
import { createRtuOverTcpProtocol } from '../driver.ts'
import { connectionOf, never, type Points } from '../testing/bench.ts'
import { RTU } from '../testing/peer-framing.ts'
import { type PeerRequest, startScriptedPeer } from '../testing/scripted-peer.ts'

const word = (register: number) => ({ register, type: 'uint16' })

/** A line with scripted units. The clock stands still unless the test moves it. */
async function startLine(units: Record<number, Points>) {
  const clock = createManualClock()
  const peer = await startScriptedPeer(0, RTU)
  const protocol = createRtuOverTcpProtocol({ clock })
  const drivers = Object.entries(units).map(([unitId, points]) =>
    protocol.connect(
      connectionOf(points, { host: '127.0.0.1', port: peer.port, unitId: Number(unitId), timeoutMs: 200, maxGap: 0 }),
    ),
  )
  onTestFinished(async () => {
    for (const driver of drivers) await driver.close()
    await peer.stop()
  })
  for (const driver of drivers) await driver.open(never)
  return { clock, peer, drivers }
}

/** Answers each register with its address plus `extra`. */
const answer = (request: PeerRequest, extra = 0) =>
  request.answerRegisters(...Array.from({ length: request.count }, (_, index) => request.address + index + extra))

/** Holds the first request back, and returns it with the promise of what was read. */
async function missFirst({ clock, peer, drivers: [driver] }: Awaited<ReturnType<typeof startLine>>, id: string) {
  const first = driver?.read([id]).catch((error: unknown) => error)
  const missed = await peer.next()
  clock.advanceNow(200)
  return { first, missed }
}

test('an answer that comes too late is never the value of another register', async () => {
  const line = await startLine({ 1: { a: word(10), b: word(700) } })
  const [driver] = line.drivers
  const { first, missed } = await missFirst(line, 'a')
  // The unit sends its late answer, and then answers everything else in order.
  answer(missed)
  line.peer.serve((request) => answer(request))
  await first
  line.clock.advanceNow(2000)
  for (let turn = 0; turn < 3; turn += 1) expect(await driver?.read(['b'])).toEqual([{ raw: 700 }])
})

test('an answer that a gateway sends over the next connection is never the value of another register', async () => {
  const { clock, peer, drivers } = await startLine({ 1: { a: word(10), b: word(700) } })
  const [driver] = drivers
  const first = driver?.read(['a']).catch(() => {})
  const missed = await peer.next()
  const shown = new Set<unknown>()
  let isLate = true
  peer.serve((request) => {
    if (isLate) request.socket.write(missed.frame([3, 2, 0, 10]))
    isLate = false
    if (request.functionCode === 3) answer(request)
    else request.answer([request.functionCode | 0x80, 2])
  })
  peer.hangUp()
  await first
  await eventually(async () => {
    clock.advanceNow(1000)
    await driver?.open(never)
    const [reading] = (await driver?.read(['b'])) ?? []
    if (reading && 'raw' in reading) shown.add(reading.raw)
    expect([reading, peer.accepted() > 1]).toEqual([{ raw: 700 }, true])
  })
  expect([...shown]).toEqual([700])
})

test('a late answer of another unit does not disturb the one that is asked', async () => {
  const line = await startLine({ 1: { a: word(10) }, 2: { b: word(700) } })
  const [, other] = line.drivers
  const { missed } = await missFirst(line, 'a')
  let sent = false
  line.peer.serve((request) => {
    if (request.unitId !== 2) return
    if (!sent) answer(missed)
    sent = true
    answer(request)
  })
  expect(await other?.read(['b'])).toEqual([{ raw: 700 }])
})

test('the write whose confirmation is damaged has an unknown outcome, and is read back', async () => {
  const { peer, drivers } = await startLine({ 1: { a: word(10) } })
  let held = 0
  let damage = true
  peer.serve((request) => {
    if (request.functionCode === 3) return request.answerRegisters(held)
    held = request.count
    const frame = request.frame([request.functionCode, ...request.body.subarray(0, 4)])
    if (damage) frame.writeUInt8(frame.readUInt8(5) ^ 1, 5)
    request.socket.write(frame)
  })
  await expect(drivers[0]?.write('a', 7)).rejects.toThrow(OFFLINE)
  damage = false
  expect(await drivers[0]?.read(['a'], { urgent: true })).toEqual([{ raw: 7 }])
  expect(peer.accepted()).toBe(1)
})

test('a late refusal of an earlier write does not refuse a later one', async () => {
  const { clock, peer, drivers } = await startLine({ 1: { a: word(10) } })
  const [driver] = drivers
  const first = expect(driver?.write('a', 7)).rejects.toThrow(OFFLINE)
  const missed = await peer.next()
  clock.advanceNow(200)
  await first
  clock.advanceNow(2000)
  const second = expect(driver?.write('a', 8)).rejects.toThrow(OFFLINE)
  await peer.next()
  missed.answer([missed.functionCode | 0x80, 4])
  await second
})

test('data of another master makes an answer worthless, and the message asks for it', async () => {
  const { peer, drivers } = await startLine({ 1: { a: word(10) } })
  peer.serve((request) => {
    // The other master's request, and the answer to ours right behind it.
    request.socket.write(Buffer.concat([Buffer.from('0203000000018439', 'hex'), request.frame([3, 2, 0, 10])]))
  })
  await expect(drivers[0]?.read(['a'])).rejects.toThrow(/second master/)
})

test('a unit id is that of a serial unit', () => {
  const protocol = createRtuOverTcpProtocol({ clock: createManualClock() })
  const check = (unitId: number) => protocol.check(connectionOf({}, { host: 'a', unitId }))
  expect([1, 247].flatMap(check)).toEqual([])
  for (const unitId of [0, 248]) {
    expect(check(unitId)).toEqual([
      { path: 'settings.unitId', message: `${unitId} must be a whole number from 1 to 247` },
    ])
  }
})

test('a gateway that takes requests and answers none is connected again', async () => {
  const { clock, peer, drivers } = await startLine({ 1: { a: word(10) } })
  let asked = 0
  peer.serve(() => {
    asked += 1
    clock.advanceNow(clock.waiting()[0] ?? 0)
  })
  while (peer.accepted() < 2) {
    await drivers[0]?.read(['a']).catch(() => {})
    await drivers[0]?.open(never).catch(() => {})
    clock.advanceNow(1000)
  }
  expect(asked).toBeGreaterThanOrEqual(3)
})
