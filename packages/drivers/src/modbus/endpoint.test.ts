import { createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bench, never, startBench } from './testing/bench.ts'
import { type Question, startScriptedPeer } from './testing/scripted-peer.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.stop())

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

describe('a peer that misbehaves', () => {
  /** The first question meets `mischief`; then the same driver reads again and must get its own values. */
  async function survives(mischief: (question: Question) => void, reason: string | RegExp) {
    const driver = await bench.open(TWO)
    const reading = driver.read(['a', 'b'])
    // Handled now: it may reject before the assertion below gets to it.
    reading.catch(() => {})
    mischief(await bench.peer.next())
    await expect(reading).rejects.toThrow(reason)
    await bench.peer.deserted()

    await expect(driver.read(['a'])).rejects.toThrow(reason)
    bench.clock.advanceNow(1000)
    bench.serveCountingRegisters()
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(bench.peer.accepted()).toBe(2)
  }

  test('does not answer', () =>
    survives(
      () => bench.clock.advanceNow(1000),
      `unit 1 at 127.0.0.1:${bench.peer.port} did not answer within 1000 ms`,
    ))

  test('answers too late', () =>
    survives((question) => {
      bench.clock.advanceNow(1000)
      question.answerRegisters(666)
    }, 'did not answer within 1000 ms'))

  test('answers with the wrong transaction id', () =>
    survives(
      (question) => question.answer([3, 2, 2, 154], { transactionId: question.transactionId + 1 }),
      'another question',
    ))

  test('answers for the wrong unit', () =>
    survives((question) => question.answer([3, 2, 2, 154], { unitId: 9 }), 'another question'))

  test('answers with the wrong function', () =>
    survives((question) => question.answer([4, 2, 2, 154]), 'does not fit the question'))

  test('answers with too few registers', () =>
    survives((question) => question.answer([3, 1, 2]), 'does not fit the question'))

  test('answers with more registers than asked', () =>
    survives((question) => question.answerRegisters(666, 667), 'does not fit the question'))

  test('says twice what it was asked once', () =>
    survives((question) => {
      const answer = question.frame([3, 2, 2, 154])
      question.socket.write(Buffer.concat([answer, answer]))
    }, 'not Modbus TCP'))

  test('sends a part of an answer and hangs up', () =>
    survives((question) => question.socket.end(question.frame([3, 2, 2, 154]).subarray(0, 8)), 'closed the connection'))

  test('sends a part of an answer and falls silent', () =>
    survives((question) => {
      question.socket.write(question.frame([3, 2, 2, 154]).subarray(0, 8))
      bench.clock.advanceNow(1000)
    }, 'did not answer'))

  test('resets the connection', () =>
    survives((question) => question.socket.resetAndDestroy(), /reset the connection|closed the connection/))

  test('speaks another protocol', () =>
    survives((question) => question.socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'not Modbus TCP'))

  test('sends garbage without end', () =>
    survives((question) => {
      const flood = () => {
        while (question.socket.writable && question.socket.write(Buffer.alloc(16_384))) {}
      }
      question.socket.on('drain', flood)
      flood()
    }, 'sent more than an answer'))

  test('announces a frame that is longer than a frame can be', () =>
    survives((question) => question.socket.write(Buffer.from([0, 1, 0, 0, 0xff, 0xff, 1])), 'not Modbus TCP'))

  test('gives a late answer to the connection that came after', async () => {
    const driver = await bench.open(TWO)
    const reading = driver.read(['a'])
    const late = await bench.peer.next()
    bench.clock.advanceNow(1000)
    await expect(reading).rejects.toThrow('did not answer')
    await driver.close()
    await driver.open(never)
    const next = driver.read(['b'])
    const question = await bench.peer.next()
    question.socket.write(late.frame([3, 2, 2, 154]))
    await expect(next).rejects.toThrow('another question')
  })

  test('speaks without being asked, and gives that to nobody', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const question = await bench.peer.next()
    question.answerRegisters(10)
    expect(await first).toEqual([{ raw: 10 }])
    question.answer([3, 2, 2, 154], { transactionId: question.transactionId + 1 })
    await bench.peer.deserted()
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })

  test('hangs up while nothing is asked, and the next question connects again', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const question = await bench.peer.next()
    question.answerRegisters(10)
    await first
    question.socket.end()
    await bench.peer.deserted()
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })
})

describe('a peer that misbehaves at random', () => {
  type Mischief = (question: Question, value: number) => void
  let held: Question | undefined
  const MISCHIEF: Record<string, Mischief> = {
    none: (question, value) => question.answerRegisters(value),
    silence: () => bench.clock.advanceNow(1000),
    late: (question, value) => {
      bench.clock.advanceNow(1000)
      question.answerRegisters(value)
    },
    stale: (question, value) => question.socket.write((held ?? question).frame([3, 2, value >> 8, value & 0xff])),
    wrongId: (question, value) =>
      question.answer([3, 2, value >> 8, value & 0xff], { transactionId: question.transactionId - 1 }),
    twice: (question, value) => {
      question.answerRegisters(value)
      question.answerRegisters(value)
    },
    halfThenClose: (question, value) => question.socket.end(question.frame([3, 2, value >> 8]).subarray(0, 9)),
    reset: (question) => question.socket.resetAndDestroy(),
  }

  test('never makes one datapoint show the value of another', { timeout: 60_000 }, async () => {
    const points = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { register: index * 100, type: 'uint16' }]),
    )
    const ids = Object.keys(points)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ point: fc.nat(19), mischief: fc.constantFrom(...Object.keys(MISCHIEF)) }), {
          minLength: 5,
          maxLength: 25,
        }),
        async (script) => {
          held = undefined
          const driver = await bench.open(points)
          for (const { point, mischief } of script) {
            bench.clock.advanceNow(60_000)
            bench.peer.serve((question) => {
              MISCHIEF[mischief]?.(question, question.address)
              held = question
            })
            const readings = await driver.read([ids[point] as string]).catch(() => undefined)
            if (readings) expect(readings).toEqual([{ raw: point * 100 }])
          }
          bench.serveCountingRegisters()
          // What the last mischief left in the pipe may still cost one question.
          bench.clock.advanceNow(60_000)
          await driver.read(['p0']).catch(() => {})
          bench.clock.advanceNow(60_000)
          expect(await driver.read(['p0', 'p19'])).toEqual([{ raw: 0 }, { raw: 1900 }])
          await driver.close()
        },
      ),
      { numRuns: 40 },
    )
  })
})

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

  test('lose nothing but time to a silent unit, and that only once in a while', async () => {
    const dead = await bench.open(POWER, { unitId: 3 })
    const alive = await bench.open(TWO, { unitId: 4 })
    let askedOfDead = 0
    const reading = dead.read(['power'])
    await bench.peer.next()
    const waiting = [alive.read(['a', 'b']), dead.read(['power'])]
    bench.peer.serve((question) => {
      if (question.unitId === 3) askedOfDead += 1
      else question.answerRegisters(question.address)
    })
    bench.clock.advanceNow(1000)
    const silence = `unit 3 at 127.0.0.1:${bench.peer.port} did not answer within 1000 ms`
    await expect(reading).rejects.toThrow(silence)
    await expect(waiting[1]).rejects.toThrow(silence)
    expect(await waiting[0]).toEqual([{ raw: 10 }, { raw: 50 }])
    await expect(dead.read(['power'])).rejects.toThrow(silence)
    await expect(dead.write('power', 1)).rejects.toThrow(silence)
    expect(askedOfDead).toBe(0)
  })

  test('leave a silent unit alone for 1 s, 2 s and so on to 60 s, until it answers', async () => {
    const dead = await bench.open(POWER, { unitId: 3, timeoutMs: 10 })
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const reading = dead.read(['power'])
      await bench.peer.next()
      bench.clock.advanceNow(10)
      await expect(reading).rejects.toThrow('did not answer')
      bench.clock.advanceNow(seconds * 1000 - 1)
      await expect(dead.read(['power'])).rejects.toThrow('did not answer')
      bench.clock.advanceNow(1)
    }
    const answered = dead.read(['power'])
    ;(await bench.peer.next()).answerRegisters(7)
    expect(await answered).toEqual([{ raw: 7 }])

    const silentAgain = dead.read(['power'])
    await bench.peer.next()
    bench.clock.advanceNow(10)
    await expect(silentAgain).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    const asked = dead.read(['power'])
    ;(await bench.peer.next()).answerRegisters(8)
    expect(await asked).toEqual([{ raw: 8 }])
  })

  test('do not open a unit that is known to be silent', async () => {
    await bench.open(TWO, { unitId: 4 })
    const dead = await bench.open(POWER, { unitId: 3 })
    const reading = dead.read(['power'])
    await bench.peer.next()
    bench.clock.advanceNow(1000)
    await expect(reading).rejects.toThrow('did not answer')
    await dead.close()
    await expect(dead.open(never)).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    await dead.open(never)
  })

  test('ask no more of a unit that its gateway cannot reach', async () => {
    const driver = await bench.open(TWO)
    let asked = 0
    bench.peer.serve((question) => {
      asked += 1
      question.answer([0x83, 11])
    })
    const error = 'exception 11: gateway target device failed to respond'
    expect(await driver.read(['a', 'b'])).toEqual([{ error }, { error }])
    expect(asked).toBe(1)
    bench.serveCountingRegisters()
    bench.clock.advanceNow(1000)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
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
