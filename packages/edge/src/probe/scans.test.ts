import type { FoundConnection } from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import type { Discovered, Protocol } from '@plantroom/drivers/driver'
import { createProtocols } from '@plantroom/drivers/protocols'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createScans } from './scans.ts'

const LEFT_MS = 10_000
const REQUEST = { protocol: 'modbus-tcp', settings: { host: '10.0.0.5' } }

const connection = (name: string, datapoints = 0): FoundConnection => ({
  ...{ name, protocol: 'modbus-tcp', settings: {}, description: '', warnings: [] },
  datapoints: Array.from({ length: datapoints }, (_, index) => ({
    ...{ name: `P${index}`, accessType: 'READ' as const, data: {}, raw: null, warnings: [] },
  })),
})

/** Scans whose findings the test hands out one after the other. */
function rig() {
  const clock = createManualClock()
  const waiting: PromiseWithResolvers<Discovered | Error | undefined>[] = [Promise.withResolvers()]
  const protocol: Protocol = {
    ...createProtocols(clock)['modbus-tcp'],
    async *discover(_settings, { signal }) {
      signal.addEventListener('abort', () => give())
      for (let next = await waiting.at(-1)?.promise; next; next = await waiting.at(-1)?.promise) {
        waiting.push(Promise.withResolvers())
        if (next instanceof Error) throw next
        yield next
      }
    },
  }
  const give = (next?: Discovered | Error) => waiting.at(-1)?.resolve(next)
  const scans = createScans({ protocols: { 'modbus-tcp': protocol, mqtt: createProtocols(clock).mqtt }, clock })
  onTestFinished(() => scans.close())
  /** Gives a finding, and waits until it is taken. */
  const found = async (...all: Discovered[]) => {
    for (const each of all) {
      give(each)
      await clock.advance(0)
    }
  }
  const start = async () => {
    const started = scans.start(REQUEST, LEFT_MS)
    started.catch(() => {})
    await clock.advance(5_000)
    return started
  }
  return { clock, scans, give, found, start }
}

describe('a scan of a controller', () => {
  test('is answered at its end, or after a few seconds with what was found so far', async () => {
    const { scans, give, found, start, clock } = rig()
    const { id, ...first } = await start()
    expect(first).toEqual({ state: 'running', done: 0, of: 0, connections: [], warnings: [], error: null })
    await found({ kind: 'found', connection: connection('A') }, { kind: 'progress', done: 1, of: 9 })
    await found({ kind: 'warning', message: 'odd' }, { kind: 'warning', message: 'odd' })
    const looked = scans.look(id, LEFT_MS)
    await clock.advance(5_000)
    expect(await looked).toMatchObject({
      state: 'running',
      done: 1,
      of: 9,
      connections: [{ name: 'A' }],
      warnings: ['odd'],
    })
    const atTheEnd = scans.look(id, LEFT_MS)
    give()
    expect(await atTheEnd).toMatchObject({ state: 'done', connections: [{ name: 'A' }] })
  })

  test('is the only one at a time, until it is cancelled', async () => {
    const { scans, start } = rig()
    const { id } = await start()
    await expect(start()).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('is running') })
    expect(await scans.cancel(id)).toMatchObject({ id, state: 'cancelled' })
    expect(await scans.cancel(id)).toMatchObject({ id, state: 'cancelled' })
    expect((await start()).id).not.toBe(id)
    await expect(scans.look(id, LEFT_MS)).rejects.toThrow('knows no scan')
  })

  test('that nobody asks about ends', async () => {
    const { scans, start, clock } = rig()
    const { id } = await start()
    await clock.advance(61_000)
    expect(await scans.look(id, LEFT_MS)).toMatchObject({ state: 'cancelled' })
  })

  test('that fails says why, and keeps what it has found', async () => {
    const { scans, start, found, give } = rig()
    const { id } = await start()
    await found({ kind: 'found', connection: connection('A') })
    give(new Error('10.0.0.5:502 refused the connection'))
    const failed = { state: 'failed', error: '10.0.0.5:502 refused the connection', connections: [{ name: 'A' }] }
    expect(await scans.look(id, LEFT_MS)).toMatchObject(failed)
  })

  test('is bounded in what it returns, and names are unique', async () => {
    const { scans, start, found, give } = rig()
    const { id } = await start()
    const one = (datapoints: number): Discovered => ({ kind: 'found', connection: connection('A', datapoints) })
    await found(one(3000), one(3000), one(1))
    give()
    const { connections, warnings } = await scans.look(id, LEFT_MS)
    expect(connections.map(({ name, datapoints }) => [name, datapoints.length])).toEqual([
      ['A', 3000],
      ['A 2', 2000],
    ])
    expect(warnings).toEqual([expect.stringContaining('only 2000'), expect.stringContaining('scan a smaller part')])
  })

  test('of what the driver refuses is rejected, and the next one may begin', async () => {
    const { start, give } = rig()
    give(new Failure('invalid', 'settings.host: 10.0.0.0/8 has 16777216 addresses'))
    await expect(start()).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('10.0.0.0/8') })
    expect((await start()).state).toBe('running')
  })

  test.each(['mqtt', 'knx', '__proto__'])('of %s is rejected: it has none', async (protocol) => {
    await expect(rig().scans.start({ protocol, settings: {} }, LEFT_MS)).rejects.toThrow('does not describe itself')
  })
})
