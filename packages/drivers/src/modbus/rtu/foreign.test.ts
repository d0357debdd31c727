import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../../driver.ts'
import { createRtuOverTcpProtocol, createSerialProtocol } from '../driver.ts'
import { connectionOf, never } from '../testing/bench.ts'
import { ALL, COILS, type Entry, ids, layout, pointsOf, shownAs, UNIT, WORDS } from '../testing/every-type.ts'
import { startPtyPair, withoutSocat } from '../testing/pty-pair.ts'
import { type Pymodbus, startPymodbus, withoutPymodbus } from '../testing/pymodbus.ts'

interface Line {
  server: Pymodbus
  /** Makes a driver for another unit, or the same, on this line. */
  open(points: Parameters<typeof connectionOf>[0], settings?: Record<string, unknown>): Promise<Driver>
}

async function onSocket(): Promise<Line> {
  const server = await startPymodbus(layout(), 0, { framer: 'rtu' })
  const protocol = createRtuOverTcpProtocol({ clock: systemClock })
  return { server, open: opener(protocol, { host: '127.0.0.1', port: server.port }) }
}

async function onSerialPort(): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-serial-'))
  const pair = await startPtyPair(folder)
  onTestFinished(async () => {
    await pair.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const server = await startPymodbus(layout(), 0, { serial: pair.theirs })
  return { server, open: opener(createSerialProtocol({ clock: systemClock }), { path: pair.ours }) }
}

function opener(protocol: ReturnType<typeof createSerialProtocol>, address: Record<string, unknown>): Line['open'] {
  return async (points, settings = {}) => {
    const driver = protocol.connect(connectionOf(points, { ...address, unitId: UNIT, timeoutMs: 10_000, ...settings }))
    onTestFinished(() => driver.close())
    await driver.open(never)
    return driver
  }
}

const valuesOf = (entries: readonly Entry[]) => entries.map(({ before }) => ({ raw: before }))

describe.skipIf(withoutPymodbus || withoutSocat).each([
  ['RTU over TCP', onSocket],
  ['RTU on a serial port', onSerialPort],
])('a third-party server: pymodbus, by %s', (_, start) => {
  async function begin() {
    const line = await start()
    onTestFinished(() => line.server.kill())
    return line
  }

  test('is read in every type, word order and table, and holds what is written', async () => {
    const { server, open } = await begin()
    const driver = await open(pointsOf(ALL))
    expect(await driver.read(ids(ALL))).toEqual(valuesOf(ALL))
    const written = [...WORDS, ...COILS]
    for (const { id, after } of written) await driver.write(id, after)
    for (const entry of written) expect(shownAs(entry, await server.at(entry))).toBe(entry.after)
    expect(await driver.read(ids(written))).toEqual(written.map(({ after }) => ({ raw: after })))
  })

  test('refuses a register that it does not have, and shows the others', async () => {
    const { open } = await begin()
    const driver = await open({ ...pointsOf(WORDS), beyond: { register: 9000, type: 'uint16' } })
    const readings = await driver.read([...ids(WORDS), 'beyond'])
    expect(readings).toEqual([...valuesOf(WORDS), { error: 'exception 2: illegal data address' }])
    await expect(driver.write('beyond', 1)).rejects.toMatchObject({ kind: 'rejected' })
  })

  test('is read and written while other units of the line are silent', async () => {
    const { server, open } = await begin()
    const [word] = WORDS
    if (!word) throw new Error('no word')
    const driver = await open(pointsOf(WORDS))
    // Opens the line, which may take longer than the timeouts below.
    expect(await driver.read(ids(WORDS))).toEqual(valuesOf(WORDS))
    const silent = await Promise.all([8, 9, 10].map((unitId) => open(pointsOf(WORDS), { unitId, timeoutMs: 300 })))
    const pollSilent = () => Promise.all(silent.map((each) => each.read(ids(WORDS)).catch((error) => error.message)))
    for (const message of await pollSilent()) expect(message).toMatch(/unit (8|9|10) /)
    const polls = pollSilent()
    await driver.write(word.id, word.after)
    await driver.write(word.id, word.before, { release: true })
    expect(shownAs(word, await server.at(word))).toBe(word.before)
    expect(await driver.read(ids(WORDS))).toEqual(valuesOf(WORDS))
    await polls
  })

  test('is read again when registers that gave no answer are back', async () => {
    const { server, open } = await begin()
    const driver = await open(pointsOf(WORDS), { timeoutMs: 500 })
    const silent = WORDS.slice(3, 5)
    await server.silence(silent)
    await eventually(async () => {
      expect(await driver.read(ids(WORDS))).toEqual(
        WORDS.map((word) => (silent.includes(word) ? { error: expect.any(String) } : { raw: word.before })),
      )
    })
    await server.silence([])
    await eventually(async () => expect(await driver.read(ids(WORDS))).toEqual(valuesOf(WORDS)))
  })
})
