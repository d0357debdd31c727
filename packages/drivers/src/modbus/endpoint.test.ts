import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bench, never, startBench } from './testing/bench.ts'
import { startScriptedPeer } from './testing/scripted-peer.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.stop())

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

describe('several connections to one host and port', () => {
  test('share one socket and have one question under way at a time', async () => {
    const first = await bench.open(POWER, { unitId: 1 })
    const second = await bench.open(POWER, { unitId: 2 })
    const readings = [first.read(['power']), second.read(['power'])]
    let underWay = 0
    bench.peer.serve((question) => {
      underWay += 1
      expect(underWay).toBe(1)
      setImmediate(() => {
        underWay -= 1
        question.answerRegisters(question.unitId)
      })
    })
    expect(await Promise.all(readings)).toEqual([[{ raw: 1 }], [{ raw: 2 }]])
    expect(bench.peer.accepted()).toBe(1)
  })

  test('are served in turn', async () => {
    const busy = await bench.open(TWO, { unitId: 1 })
    const patient = await bench.open(TWO, { unitId: 2 })
    const order: number[] = []
    const readings = [busy.read(['a']), busy.read(['a']), busy.read(['a']), patient.read(['a']), patient.read(['a'])]
    bench.peer.serve((question) => {
      order.push(question.unitId)
      question.answerRegisters(0)
    })
    await Promise.all(readings)
    expect(order).toEqual([1, 2, 1, 2, 1])
  })

  /** Answers everything with success, and writes down which unit was asked by which function, for what. */
  function takeNotes(): string[] {
    const notes: string[] = []
    bench.peer.serve((question) => {
      notes.push(`${question.functionCode === 3 ? 'read' : 'write'} ${question.unitId}:${question.address}`)
      if (question.functionCode === 3) question.answerRegisters(0)
      else question.answer([question.functionCode, ...question.body.subarray(0, 4)])
    })
    return notes
  }

  test('write, and read back, ahead of the polls that wait, their own and those of others', async () => {
    const busy = await bench.open({ ...TWO, setpoint: { register: 90, type: 'uint16' } }, { unitId: 1 })
    const other = await bench.open(TWO, { unitId: 2 })
    const polls = [busy, busy, busy, other, other, other].map((driver) => driver.read(['a', 'b']))
    const underWay = await bench.peer.next()
    const readBack = busy.write('setpoint', 7).then(() => busy.read(['setpoint'], { urgent: true }))
    const notes = takeNotes()
    underWay.answerRegisters(0)
    await Promise.all([...polls, readBack])
    expect(notes.indexOf('write 1:90')).toBe(0)
    // One poll had its turn before the answer to the write was told.
    expect(notes.indexOf('read 1:90')).toBe(2)
    expect(notes).toHaveLength(13)
  })

  test('write in the order in which it was asked', async () => {
    const driver = await bench.open(TWO)
    const poll = driver.read(['a'])
    const underWay = await bench.peer.next()
    const writes = [driver.write('b', 1), driver.write('a', 2), driver.write('b', 3)]
    const notes = takeNotes()
    underWay.answerRegisters(0)
    await Promise.all([poll, ...writes])
    expect(notes).toEqual(['write 1:50', 'write 1:10', 'write 1:50'])
  })

  test('are polled now and then, however much is written', async () => {
    const writer = await bench.open(TWO, { unitId: 1 })
    const patient = await bench.open(TWO, { unitId: 2 })
    const writes = Array.from({ length: 25 }, () => writer.write('a', 1))
    const polls = [patient.read(['a', 'b'])]
    const notes = takeNotes()
    await Promise.all([...writes, ...polls])
    expect(notes.flatMap((note, index) => (note.startsWith('read') ? [index] : []))).toEqual([10, 21])
    expect(notes).toHaveLength(27)
  })

  test('reject what is to be written when they are closed while it waits', async () => {
    const driver = await bench.open(TWO)
    const poll = driver.read(['a'])
    poll.catch(() => {})
    await bench.peer.next()
    const write = driver.write('b', 1)
    write.catch(() => {})
    await driver.close()
    await expect(write).rejects.toMatchObject({ kind: 'offline', message: 'the connection was closed' })
  })

  test('end with the one that is closed what it has asked, and nothing of the others', async () => {
    const leaving = await bench.open(POWER, { unitId: 1 })
    const staying = await bench.open(TWO, { unitId: 2 })
    const readings = [leaving.read(['power']), staying.read(['a', 'b'])]
    readings[0]?.catch(() => {})
    const underWay = await bench.peer.next()
    await leaving.close()
    await expect(readings[0]).rejects.toThrow('the connection was closed')
    bench.serveCountingRegisters()
    underWay.answerRegisters(666)
    expect(await readings[1]).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(bench.peer.accepted()).toBe(1)
  })

  test('keep the socket until the last of them is closed', async () => {
    const first = await bench.open(POWER, { unitId: 1 })
    const second = await bench.open(POWER, { unitId: 2 })
    bench.serveCountingRegisters()
    await first.close()
    expect(await second.read(['power'])).toEqual([{ raw: 100 }])
    expect(bench.peer.standing()).toBe(1)
    await second.close()
    await bench.peer.deserted()
    await second.open(never)
    expect(await second.read(['power'])).toEqual([{ raw: 100 }])
  })
})

describe('opening and closing', () => {
  test('a host that refuses is named', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as { port: number }
    await new Promise((resolve) => free.close(resolve))
    await expect(bench.open(POWER, { port })).rejects.toThrow(`127.0.0.1:${port} refused the connection`)
  })

  test('reads and writes reject before open and after close', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    await expect(driver.read(['power'])).rejects.toThrow('is not open')
    await driver.open(never)
    await driver.close()
    await expect(driver.write('power', 1)).rejects.toThrow('is not open')
    await driver.close()
  })

  test('what waits when a connection closes is rejected', async () => {
    const driver = await bench.open(TWO)
    const readings = [driver.read(['a']), driver.read(['b'])]
    for (const reading of readings) reading.catch(() => {})
    await bench.peer.next()
    await driver.close()
    for (const reading of readings) await expect(reading).rejects.toThrow('the connection was closed')
    await bench.peer.deserted()
  })

  test('opening can be called off, and leaves no socket', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    const abort = new AbortController()
    const opening = driver.open(abort.signal)
    abort.abort()
    await expect(opening).rejects.toThrow('called off')
    await bench.peer.deserted()
    await expect(driver.open(abort.signal)).rejects.toThrow('called off')
    await driver.open(never)
    await driver.close()
  })

  test('the equipment is given its time after connecting and between questions', async () => {
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

  test('a host that does not accept in time is given up', async () => {
    const driver = bench.protocol.connect(bench.connection(POWER))
    const opening = driver.open(never)
    bench.clock.advanceNow(1000)
    await expect(opening).rejects.toThrow(`127.0.0.1:${bench.peer.port} did not accept the connection within 1000 ms`)
    await bench.peer.deserted()
  })

  test('a restart of the equipment is survived without opening again', async () => {
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
