import { describe, expect, test } from 'vitest'
import { type Points, useBench } from './testing/bench.ts'
import type { PeerRequest } from './testing/scripted-peer.ts'

const bench = useBench()

describe('a poll', () => {
  const SPREAD: Points = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`s${index}`, { register: index * 100, type: 'uint16' }]),
  )
  const IDS = Object.keys(SPREAD)
  const VALUES = IDS.map((_, index) => ({ raw: index * 100 }))

  test('sends one request at a time, although it sends the next one before it decodes an answer', async () => {
    const driver = await bench.open(SPREAD)
    let pending = 0
    bench.peer.serve((request) => {
      pending += 1
      expect(pending).toBe(1)
      setImmediate(() => {
        pending -= 1
        request.answerRegisters(request.address)
      })
    })
    expect(await driver.read(IDS)).toEqual(VALUES)
  })

  test('rejects when the link is lost halfway', async () => {
    const driver = await bench.open(SPREAD)
    const asked: number[] = []
    bench.peer.serve((request) => {
      asked.push(request.address)
      if (request.address < 200) request.answerRegisters(request.address)
      else void bench.peer.stop()
    })
    await expect(driver.read(IDS)).rejects.toMatchObject({ kind: 'offline' })
    expect(asked).toEqual([0, 100, 200])
  })

  test.each<[string, (request: PeerRequest) => void]>([
    ['carries another unit id', (request) => request.answer([3, 2, 0, 1], { unitId: 9 })],
    ['carries another transaction id', (request) => request.answer([3, 2, 0, 1], { transactionId: 0 })],
    ['is no Modbus', (request) => void request.socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['is the end of the socket', (request) => void request.socket.destroy()],
  ])('loses no value to one reply that %s', async (_name, misbehave) => {
    for (const bad of [0, 200, 400]) {
      const driver = await bench.open(SPREAD)
      let isOver = false
      bench.peer.serve((request) => {
        if (isOver || request.address !== bad) return request.answerRegisters(request.address)
        isOver = true
        misbehave(request)
      })
      expect(await driver.read(IDS)).toEqual(VALUES)
      expect(isOver).toBe(true)
      await driver.close()
    }
  })

  test('may read different points, another order, or one point twice, each time', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    expect(await driver.read(IDS)).toEqual(VALUES)
    expect(await driver.read(IDS.toReversed())).toEqual(VALUES.toReversed())
    expect(await driver.read(['s3', 's1', 's3'])).toEqual([{ raw: 300 }, { raw: 100 }, { raw: 300 }])
    expect(await driver.read([])).toEqual([])
    expect(await driver.read(IDS)).toEqual(VALUES)
  })

  test('uses the current content of its list of ids', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    const list = ['s0', 's1']
    await driver.read(list)
    list[0] = 's4'
    expect(await driver.read(list)).toEqual([{ raw: 400 }, { raw: 100 }])
  })

  test('returns new readings, and leaves those of the last poll unchanged', async () => {
    const driver = await bench.open(SPREAD)
    bench.serveCountingRegisters()
    const before = await driver.read(IDS)
    bench.peer.serve((request) => request.answerRegisters(7))
    expect(await driver.read(IDS)).toEqual(IDS.map(() => ({ raw: 7 })))
    expect(before).toEqual(VALUES)
  })
})
