import { createServer } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { never, useBench } from './testing/bench.ts'
import { serveFaults } from './testing/faulty-peer.ts'
import { startScriptedPeer } from './testing/scripted-peer.ts'

const bench = useBench()

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

describe('several connections to one host and port', () => {
  test('share one socket and send one request at a time', async () => {
    const first = await bench.open(POWER, { unitId: 1 })
    const second = await bench.open(POWER, { unitId: 2 })
    const readings = [first.read(['power']), second.read(['power'])]
    let pending = 0
    bench.peer.serve((request) => {
      pending += 1
      expect(pending).toBe(1)
      setImmediate(() => {
        pending -= 1
        request.answerRegisters(request.unitId)
      })
    })
    expect(await Promise.all(readings)).toEqual([[{ raw: 1 }], [{ raw: 2 }]])
    expect(bench.peer.accepted()).toBe(1)
  })

  test('take turns', async () => {
    const busy = await bench.open(TWO, { unitId: 1 })
    const patient = await bench.open(TWO, { unitId: 2 })
    const order: number[] = []
    const readings = [busy.read(['a']), busy.read(['a']), busy.read(['a']), patient.read(['a']), patient.read(['a'])]
    bench.peer.serve((request) => {
      order.push(request.unitId)
      request.answerRegisters(0)
    })
    await Promise.all(readings)
    expect(order).toEqual([1, 2, 1, 2, 1])
  })

  /** Answers every request with success, and records its kind, unit and address. */
  function recordRequests(): string[] {
    const recorded: string[] = []
    bench.peer.serve((request) => {
      recorded.push(`${request.functionCode === 3 ? 'read' : 'write'} ${request.unitId}:${request.address}`)
      if (request.functionCode === 3) request.answerRegisters(0)
      else request.answer([request.functionCode, ...request.body.subarray(0, 4)])
    })
    return recorded
  }

  test('write and read back ahead of all queued polls', async () => {
    const busy = await bench.open({ ...TWO, setpoint: { register: 90, type: 'uint16' } }, { unitId: 1 })
    const other = await bench.open(TWO, { unitId: 2 })
    const polls = [busy, busy, busy, other, other, other].map((driver) => driver.read(['a', 'b']))
    const pending = await bench.peer.next()
    const readBack = busy.write('setpoint', 7).then(() => busy.read(['setpoint'], { urgent: true }))
    const recorded = recordRequests()
    pending.answerRegisters(0)
    await Promise.all([...polls, readBack])
    expect(recorded.indexOf('write 1:90')).toBe(0)
    // One poll was sent before the write was answered.
    expect(recorded.indexOf('read 1:90')).toBe(2)
    expect(recorded).toHaveLength(13)
  })

  test('write in the order of the calls', async () => {
    const driver = await bench.open(TWO)
    const poll = driver.read(['a'])
    const pending = await bench.peer.next()
    const writes = [driver.write('b', 1), driver.write('a', 2), driver.write('b', 3)]
    const recorded = recordRequests()
    pending.answerRegisters(0)
    await Promise.all([poll, ...writes])
    expect(recorded).toEqual(['write 1:50', 'write 1:10', 'write 1:50'])
  })

  test('are polled from time to time, however much is written', async () => {
    const writer = await bench.open(TWO, { unitId: 1 })
    const patient = await bench.open(TWO, { unitId: 2 })
    const writes = Array.from({ length: 25 }, () => writer.write('a', 1))
    const polls = [patient.read(['a', 'b'])]
    const recorded = recordRequests()
    await Promise.all([...writes, ...polls])
    expect(recorded.flatMap((entry, index) => (entry.startsWith('read') ? [index] : []))).toEqual([10, 21])
    expect(recorded).toHaveLength(27)
  })

  test('reject a queued write when they are closed', async () => {
    const driver = await bench.open(TWO)
    const poll = driver.read(['a'])
    poll.catch(() => {})
    await bench.peer.next()
    const write = driver.write('b', 1)
    write.catch(() => {})
    await driver.close()
    await expect(write).rejects.toMatchObject({ kind: 'offline', message: 'the connection was closed' })
  })

  test('cancel only the requests of the one that is closed', async () => {
    const leaving = await bench.open(POWER, { unitId: 1 })
    const staying = await bench.open(TWO, { unitId: 2 })
    const readings = [leaving.read(['power']), staying.read(['a', 'b'])]
    readings[0]?.catch(() => {})
    const pending = await bench.peer.next()
    await leaving.close()
    await expect(readings[0]).rejects.toThrow('the connection was closed')
    bench.serveCountingRegisters()
    pending.answerRegisters(666)
    expect(await readings[1]).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(bench.peer.accepted()).toBe(1)
  })

  test('keep the socket until the last of them is closed', async () => {
    const first = await bench.open(POWER, { unitId: 1 })
    const second = await bench.open(POWER, { unitId: 2 })
    bench.serveCountingRegisters()
    await first.close()
    expect(await second.read(['power'])).toEqual([{ raw: 100 }])
    expect(bench.peer.openCount()).toBe(1)
    await second.close()
    await bench.peer.allClosed()
    await second.open(never)
    expect(await second.read(['power'])).toEqual([{ raw: 100 }])
  })
})

describe('opening and closing', () => {
  test('name a host that refuses the connection', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as { port: number }
    await new Promise((resolve) => free.close(resolve))
    await expect(bench.open(POWER, { port })).rejects.toThrow(`127.0.0.1:${port} refused the connection`)
  })

  test('reject reads and writes before open and after close', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    await expect(driver.read(['power'])).rejects.toThrow('is not open')
    await driver.open(never)
    await driver.close()
    await expect(driver.write('power', 1)).rejects.toThrow('is not open')
    await driver.close()
  })

  test('reject queued reads when the connection closes', async () => {
    const driver = await bench.open(TWO)
    const readings = [driver.read(['a']), driver.read(['b'])]
    for (const reading of readings) reading.catch(() => {})
    await bench.peer.next()
    await driver.close()
    for (const reading of readings) await expect(reading).rejects.toThrow('the connection was closed')
    await bench.peer.allClosed()
  })

  test('can be aborted, and leave no socket behind', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    const abort = new AbortController()
    const opening = driver.open(abort.signal)
    abort.abort()
    await expect(opening).rejects.toThrow('cancelled')
    await bench.peer.allClosed()
    await expect(driver.open(abort.signal)).rejects.toThrow('cancelled')
    await driver.open(never)
    await driver.close()
  })

  test('give the equipment its delay after connecting and between requests', async () => {
    const driver = await bench.open(TWO, { connectDelayMs: 500, interFrameDelayMs: 40 })
    const asked = bench.serveCountingRegisters()
    const reading = driver.read(['a', 'b'])
    await vi.waitUntil(() => bench.clock.waiting().includes(500))
    expect(asked).toEqual([])
    bench.clock.advanceNow(500)
    await vi.waitUntil(() => bench.clock.waiting().includes(40))
    expect(asked).toEqual([[10, 1]])
    bench.clock.advanceNow(40)
    expect(await reading).toEqual([{ raw: 10 }, { raw: 50 }])
  })

  test('give up on a host that does not accept in time', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    const opening = driver.open(never)
    bench.clock.advanceNow(1000)
    await expect(opening).rejects.toThrow(`127.0.0.1:${bench.peer.port} did not accept the connection within 1000 ms`)
    await bench.peer.allClosed()
  })

  test('survive a restart of the equipment without opening again', async () => {
    const driver = await bench.open(TWO)
    bench.serveCountingRegisters()
    await driver.read(['a'])
    const { port } = bench.peer
    await bench.peer.stop()
    await expect(driver.read(['a'])).rejects.toThrow(`127.0.0.1:${port}`)
    bench.peer = await startScriptedPeer(port)
    bench.serveCountingRegisters()
    await expect(driver.read(['a'])).rejects.toThrow(`127.0.0.1:${port}`)
    bench.clock.advanceNow(1000)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
  })
})

describe('a reconnect', () => {
  /** Waits for the work, and moves the clock whenever the driver gives the equipment its delay after connecting. */
  async function withDelays<Result>(work: Promise<Result>, delayMs: number): Promise<Result> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    work.then(settle, settle)
    while (!isSettled) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      if (bench.clock.waiting()[0] === delayMs) bench.clock.advanceNow(delayMs)
    }
    return work
  }

  test('counts as part of the cost of a missing answer, so that it happens less often', async () => {
    const peer = serveFaults(bench)
    const driver = await bench.open(TWO, { connectDelayMs: 500 })
    const isSent = async () => {
      peer.frames.length = 0
      await withDelays(
        driver.write('a', 7).catch(() => {}),
        500,
      )
      return peer.frames.length > 0
    }
    await withDelays(driver.read(['a', 'b']), 500)
    peer.silentWrites.add(10)
    expect(await isSent()).toBe(true)
    bench.clock.advanceNow(1000)
    expect(await isSent()).toBe(true)
    // The second attempt waited 50 ms for its answer and 500 ms for the new socket: 20 times that is 11 s.
    bench.clock.advanceNow(10_000)
    expect(await isSent()).toBe(false)
    bench.clock.advanceNow(1000)
    expect(await isSent()).toBe(true)
  })

  test('is not delayed by a failure before the last successful one', async () => {
    const { port } = bench.peer
    await bench.peer.stop()
    const driver = bench.protocol.connect(bench.connection(TWO, { timeoutMs: 100 }))
    await expect(driver.open(never)).rejects.toThrow('refused the connection')
    bench.peer = await startScriptedPeer(port)
    const peer = serveFaults(bench)
    await driver.open(never)
    peer.silentWrites.add(10)
    // The timeout costs the socket.
    await expect(driver.write('a', 7)).rejects.toThrow('did not answer')
    await driver.write('b', 7)
    expect(peer.held(1, 50)).toBe(7)
    await driver.close()
  })

  test('is tried twice for a request if the equipment closes each socket during its delay', async () => {
    bench.peer.welcome((socket) => void socket.destroy())
    const driver = await bench.open(TWO, { connectDelayMs: 500 })
    await bench.peer.allClosed()
    const before = bench.peer.accepted()
    await expect(withDelays(driver.write('a', 7), 500)).rejects.toMatchObject({
      kind: 'offline',
      message: expect.stringContaining('closed the connection'),
    })
    expect(bench.peer.accepted() - before).toBeLessThanOrEqual(2)
  })
})
