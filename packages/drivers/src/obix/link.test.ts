import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { airHandlingUnit, type Bench, failure, never, startBench } from './testing/bench.ts'
import { answering } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

describe('a lost link', () => {
  const loses = async (work: Promise<unknown>, message: string | RegExp) =>
    expect(work).rejects.toEqual(failure('offline', message))

  test('rejects reads, and is restored by opening', async () => {
    const driver = await bench.open()
    await bench.server.drop()
    await loses(driver.read(['supply', 'fan']), /refused the connection|closed the connection/)
    await bench.server.heal()
    await driver.open(never)
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('includes a reset and an interrupted answer', async () => {
    const driver = await bench.open()
    bench.server.play((_, response) => response.socket?.resetAndDestroy())
    await loses(driver.read(['supply', 'fan']), `${bench.host} closed the connection without an answer`)
    bench.server.play((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('<list>', () => response.socket?.destroy())
    })
    await loses(driver.read(['supply', 'fan']), `${bench.host} closed the connection in the middle of an answer`)
  })

  test('includes a rejected password, for every kind of request', async () => {
    const driver = await bench.open(undefined, { username: 'edge', password: 'secret' })
    bench.server.play(answering(/./, '', 401))
    const message = `${bench.host} rejected the username or password`
    await loses(driver.read(['supply', 'fan']), message)
    await loses(driver.read(['supply'], { urgent: true }), message)
    await loses(driver.write('supply', 20), message)
  })

  test('includes a server that answers nothing, as the lobby shows', async () => {
    const driver = await bench.open()
    for (const urgent of [false, true]) {
      const batch = bench.whenAsked('POST /obix/batch/')
      const reading = loses(driver.read(['supply', 'fan'], { urgent }), `${bench.host} did not answer within 5000 ms`)
      await batch
      const lobby = bench.whenAsked('GET /obix/')
      bench.clock.advanceNow(5000)
      await lobby
      bench.clock.advanceNow(5000)
      await reading
    }
  })

  test('discards a late answer', async () => {
    const driver = await bench.open()
    let late = () => {}
    const stuck = bench.whenAsked('POST /obix/batch/', ({ method }, response, obey) => {
      if (method === 'GET') return obey()
      late = () => response.end('<list><real val="99"/><bool val="false"/></list>')
    })
    const reading = driver.read(['supply', 'fan'])
    await stuck
    bench.clock.advanceNow(5000)
    late()
    expect(await reading).toEqual([{ raw: 21.5 }, { raw: 1 }])
    bench.server.play(undefined)
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('includes a closed one: pending and later requests are rejected, and no socket is left', async () => {
    const driver = await bench.open()
    const stuck = bench.whenAsked('POST /obix/batch/')
    const reading = driver.read(['supply', 'fan'])
    const waiting = driver.read(['outside', 'fan'])
    await stuck
    await driver.close()
    await loses(reading, 'the connection was closed')
    await loses(waiting, 'the connection was closed')
    await loses(driver.read(['supply']), `the connection to ${bench.host} is not open`)
    await loses(driver.write('supply', 1), `the connection to ${bench.host} is not open`)
    await expect.poll(() => bench.server.openSockets()).toBe(0)
    await driver.close()
  })
})
