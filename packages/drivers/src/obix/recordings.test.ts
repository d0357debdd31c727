import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createObixProtocol } from './driver.ts'
import { airHandlingUnit, connectionOf, never, startBench } from './testing/bench.ts'
import type { Case } from './testing/case.ts'
import { expectCase } from './testing/expect-case.ts'
import { type Exchange, startRecorder, startReplay } from './testing/recorder.ts'

const FOLDER = join(import.meta.dirname, 'recordings')

async function replay(recorded: (host: string) => readonly Exchange[]) {
  const replaying = await startReplay(recorded)
  onTestFinished(() => replaying.stop())
  const connect = ({ points, settings }: Pick<Case, 'points' | 'settings'>) => {
    const connection = connectionOf(points, { url: `http://${replaying.host}/obix/`, ...settings })
    const driver = createObixProtocol({ clock: createManualClock() }).connect(connection)
    onTestFinished(() => driver.close())
    return driver
  }
  return { replaying, connect }
}

/** Written by `testing/record.ts`. Content lengths stay correct, because every ephemeral port has five digits. */
function exchangesIn(folder: string, host: string): Exchange[] {
  const bytesOf = (file: string) => Buffer.from(readFileSync(join(folder, file), 'utf8').replaceAll('{host}', host))
  return readdirSync(folder)
    .filter((file) => file.endsWith('-request.http'))
    .map((file) => ({ request: bytesOf(file), reply: bytesOf(file.replace('request', 'reply')) }))
}

describe('the driver repeats a recording byte for byte, with the same results', () => {
  const recordings = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  test.each(recordings.map(({ name }) => name))('%s', async (name) => {
    const folder = join(FOLDER, name)
    const { replaying, connect } = await replay((host) => exchangesIn(folder, host))
    const text = readFileSync(join(folder, 'case.json'), 'utf8')
    const recorded = JSON.parse(text.replaceAll('{host}', replaying.host)) as Case
    await expectCase(recorded, connect(recorded))
    expect(replaying.differences).toEqual([])
    expect(replaying.left()).toBe(0)
  })
})

describe('a recording', () => {
  const points = { supply: { href: 'points/supply/' }, fan: { href: 'points/fan/' } }

  async function record(): Promise<{ exchanges: readonly Exchange[]; host: string }> {
    const bench = await startBench(airHandlingUnit())
    onTestFinished(() => bench.stop())
    const recorder = await startRecorder({ host: '127.0.0.1', port: bench.server.port })
    onTestFinished(() => recorder.stop())
    const driver = bench.protocol.connect(connectionOf(points, { url: `http://${recorder.host}/obix/` }))
    await driver.open(never)
    await driver.read(['supply', 'fan'])
    await driver.write('supply', 23)
    await driver.read(['supply'], { urgent: true })
    await driver.close()
    return recorder
  }

  const renamed = ({ exchanges, host }: Awaited<ReturnType<typeof record>>, to: string): Exchange[] => {
    const rename = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll(host, to), 'latin1')
    return exchanges.map(({ request, reply }) => ({ request: rename(request), reply: rename(reply) }))
  }

  test('contains each exchange once, in order, on any socket', async () => {
    const { exchanges } = await record()
    expect(exchanges.map(({ request }) => request.toString().split(' HTTP')[0])).toEqual([
      'GET /obix/',
      'POST /obix/batch/',
      'PUT /obix/points/supply/',
      'GET /obix/points/supply/',
    ])
    for (const { reply } of exchanges) expect(reply.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('can be replayed', async () => {
    const recorded = await record()
    const { replaying, connect } = await replay((host) => renamed(recorded, host))
    const driver = connect({ points })
    await driver.open(never)
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    await driver.write('supply', 23)
    expect(await driver.read(['supply'], { urgent: true })).toEqual([{ raw: 23 }])
    expect([replaying.differences, replaying.left()]).toEqual([[], 0])
  })

  test('reveals a difference of a single byte', async () => {
    const recorded = await record()
    const { replaying, connect } = await replay((host) => renamed(recorded, host))
    const driver = connect({ points })
    await driver.open(never)
    await driver.read(['supply', 'fan'])
    await expect(driver.write('supply', 24)).rejects.toThrow()
    expect(replaying.differences).toHaveLength(1)
    expect(replaying.differences[0]?.asked).toContain('val="24"')
    expect(replaying.differences[0]?.expected).toContain('val="23"')
    expect(replaying.left()).toBe(2)
  })
})
