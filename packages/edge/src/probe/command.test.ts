import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROTOCOLS } from '@plantroom/contract/protocols'
import { createProtocols } from '@plantroom/drivers/protocols'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createMemoryDriver } from '../testing/memory-driver.ts'
import { runProbe } from './command.ts'

const ROOM = `
technicalSystem: Room
connections:
  - name: Meter
    protocol: modbus-tcp
    settings: { host: 10.0.0.5 }
    datapoints: [{ name: Power, accessType: READ, data: {} }]
`

function file(text: string): string {
  const path = join(temporaryFolder(), 'room.yaml')
  writeFileSync(path, text)
  return path
}

/** Runs the command with equipment that has one point with this value. */
async function run(args: readonly string[], held: number | string = 42, watched = false) {
  const output = { out: '', err: '', progress: [] as string[] }
  const protocol = {
    check: () => [],
    targets: () => [undefined],
    connect: () => createMemoryDriver({ 'connections[0].datapoints[0]': held }),
  }
  const code = await runProbe(args, {
    protocols: { ...createProtocols(createManualClock()), 'modbus-tcp': protocol, mqtt: protocol, obix: protocol },
    clock: createManualClock(),
    terminal: {
      out(text) {
        output.out += text
      },
      err(text) {
        output.err += text
      },
      progress: watched ? (text) => void output.progress.push(text) : undefined,
    },
  })
  return { code, ...output }
}

describe('plantroom edge probe', () => {
  test('prints the readings and exits with 0', async () => {
    expect(await run([file(ROOM)])).toEqual({
      code: 0,
      out: 'Room\nMeter (modbus-tcp, 10.0.0.5:502): connected\n  Power  42  raw 42\n1 of 1 datapoints can be read\n',
      err: '',
      progress: [],
    })
  })

  test('exits with 1 when something cannot be read', async () => {
    const { code, out, err } = await run([file(ROOM)], 'exception 2')
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain('Power  cannot be read: exception 2\n')
  })

  test('prints one line of JSON for programs', async () => {
    const { code, out } = await run(['--json', file(ROOM)], 'exception 2')
    expect(code).toBe(1)
    expect(out.split('\n')).toHaveLength(2)
    expect(JSON.parse(out)).toEqual({
      technicalSystem: 'Room',
      readable: false,
      problems: [],
      connections: [
        {
          ...{ name: 'Meter', protocol: 'modbus-tcp', endpoint: '10.0.0.5:502', status: 1, error: null },
          datapoints: [{ name: 'Power', accessType: 'READ', raw: null, value: null, note: null, error: 'exception 2' }],
        },
      ],
    })
    expect(JSON.parse((await run([file(ROOM), '--json'])).out)).toMatchObject({ readable: true })
  })

  test('shows progress on a terminal and clears it', async () => {
    const { progress } = await run([file(ROOM)], 42, true)
    expect(progress).toEqual(['probing: 0 of 1 connections', ''])
  })

  test('names every problem of the file in one line, and reads no equipment', async () => {
    const path = file(ROOM.replace('modbus-tcp', 'bacnet').replace('READ', 'LOOK'))
    expect(await run([path])).toEqual({
      code: 1,
      out: '',
      err:
        `plantroom edge probe: connections[0].protocol: must be one of: ${PROTOCOLS.join(', ')}; ` +
        'connections[0].datapoints[0].accessType: must be one of: READ, READ_WRITE, WRITE\n',
      progress: [],
    })
    const { code, out, err } = await run([path, '--json'])
    expect([code, err]).toEqual([1, ''])
    expect(JSON.parse(out)).toEqual({
      readable: false,
      problems: [
        { path: 'connections[0].protocol', message: `must be one of: ${PROTOCOLS.join(', ')}` },
        { path: 'connections[0].datapoints[0].accessType', message: 'must be one of: READ, READ_WRITE, WRITE' },
      ],
      connections: [],
    })
  })

  test.each([
    ['does not exist', '/nowhere/room.yaml', '/nowhere/room.yaml cannot be read (ENOENT)'],
    ['is a folder', '/', '/ cannot be read (EISDIR)'],
  ])('reports in one line that the file %s', async (_what, path, message) => {
    expect(await run([path])).toMatchObject({ code: 1, out: '', err: `plantroom edge probe: ${message}\n` })
  })

  test('reports in one line that the file is invalid', async () => {
    const { code, err } = await run([file('[1, 2')])
    expect(code).toBe(1)
    expect(err).toMatch(/^plantroom edge probe: .*room\.yaml is neither JSON nor YAML: .*\n$/)
  })

  test('prints its usage', async () => {
    const { code, out, err } = await run(['--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('plantroom edge probe FILE')
  })

  test.each([
    [[], 'FILE is missing'],
    [[''], 'FILE is missing'],
    [['a.yaml', 'b.yaml'], 'unexpected argument b.yaml'],
    [['a.yaml', '--loud'], 'unknown option --loud'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, out, err } = await run(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).toMatch(/^plantroom edge probe: .*; see plantroom edge probe --help\n$/)
  })
})
