import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bench, type Points, startBench } from './testing/bench.ts'
import type { Question } from './testing/scripted-peer.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.stop())

describe('a poll', () => {
  const SPREAD: Points = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`s${index}`, { register: index * 100, type: 'uint16' }]),
  )
  const IDS = Object.keys(SPREAD)
  const VALUES = IDS.map((_, index) => ({ raw: index * 100 }))

  test('has one question under way, though the next is asked before an answer is taken in', async () => {
    const driver = await bench.open(SPREAD)
    let underWay = 0
    bench.peer.serve((question) => {
      underWay += 1
      expect(underWay).toBe(1)
      setImmediate(() => {
        underWay -= 1
        question.answerRegisters(question.address)
      })
    })
    expect(await driver.read(IDS)).toEqual(VALUES)
  })

  test('that loses the link in its midst is rejected', async () => {
    const driver = await bench.open(SPREAD)
    const asked: number[] = []
    bench.peer.serve((question) => {
      asked.push(question.address)
      if (question.address < 200) question.answerRegisters(question.address)
      else void bench.peer.stop()
    })
    await expect(driver.read(IDS)).rejects.toMatchObject({ kind: 'offline' })
    expect(asked).toEqual([0, 100, 200])
  })

  test.each<[string, (question: Question) => void]>([
    ['carries another unit id', (question) => question.answer([3, 2, 0, 1], { unitId: 9 })],
    ['carries another transaction id', (question) => question.answer([3, 2, 0, 1], { transactionId: 0 })],
    ['is no Modbus', (question) => void question.socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['is the end of the socket', (question) => void question.socket.destroy()],
  ])('loses no value to one reply that %s', async (_name, misbehave) => {
    for (const bad of [0, 200, 400]) {
      const driver = await bench.open(SPREAD)
      let isOver = false
      bench.peer.serve((question) => {
        if (isOver || question.address !== bad) return question.answerRegisters(question.address)
        isOver = true
        misbehave(question)
      })
      expect(await driver.read(IDS)).toEqual(VALUES)
      expect(isOver).toBe(true)
      await driver.close()
    }
  })

  test('may ask for other points, in another order, or for one twice, each time', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    expect(await driver.read(IDS)).toEqual(VALUES)
    expect(await driver.read(IDS.toReversed())).toEqual(VALUES.toReversed())
    expect(await driver.read(['s3', 's1', 's3'])).toEqual([{ raw: 300 }, { raw: 100 }, { raw: 300 }])
    expect(await driver.read([])).toEqual([])
    expect(await driver.read(IDS)).toEqual(VALUES)
  })

  test('goes by what its list holds now, not by what it held', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    const list = ['s0', 's1']
    await driver.read(list)
    list[0] = 's4'
    expect(await driver.read(list)).toEqual([{ raw: 400 }, { raw: 100 }])
  })

  test('gives readings of its own: those of the poll before stay as they were', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    const before = await driver.read(IDS)
    bench.peer.serve((question) => question.answerRegisters(7))
    expect(await driver.read(IDS)).toEqual(IDS.map(() => ({ raw: 7 })))
    expect(before).toEqual(VALUES)
  })
})
