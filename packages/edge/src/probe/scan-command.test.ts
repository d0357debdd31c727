import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { readDocument } from '@plantroom/base/document'
import { startDevice } from '@plantroom/drivers/bacnet/testing/device-simulator'
import { simulatedObject } from '@plantroom/drivers/bacnet/testing/objects'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { createProtocols } from '@plantroom/drivers/protocols'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkFile } from './commissioning-file.ts'
import { runScan } from './scan-command.ts'

const protocols = createProtocols(systemClock)

async function run(...args: string[]) {
  const output = { out: '', err: '' }
  const terminal = {
    out(text: string) {
      output.out += text
    },
    err(text: string) {
      output.err += text
    },
    progress: undefined,
  }
  const code = await runScan(args, { protocols, clock: systemClock, terminal })
  return { code, ...output }
}

/** A device whose texts would break out of a comment or a terminal. */
async function aDevice() {
  const objects = {
    'analog-input,1': { name: 'Supply', description: 'a\nb: [\u001b[2J', fallback: 19.5 },
    'analog-output,2': { name: 'Valve "x"', units: 'percent', range: [0, 100] as const },
    'analog-value,3': { units: 'no-units' },
  }
  const device = await startDevice(
    new Map(Object.entries(objects).map(([id, about]) => [id, simulatedObject(id, about)])),
  )
  onTestFinished(() => device.stop())
  return `127.0.0.1:${device.port}`
}

describe('plantroom edge scan', () => {
  test('prints what was found, and writes a valid file to edit and an EDE file', async () => {
    const folder = temporaryFolder()
    const [file, ede] = [join(folder, 'ahu.yaml'), join(folder, 'ahu.csv')]
    const target = await aDevice()
    const scan = ['bacnet', target, '--set', 'timeoutMs=10000', '--file', file, '--ede', ede, '--name', 'Air']
    const { code, out, err } = await run(...scan)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Device 1234 (bacnet-ip, ${target})`)
    expect(out).toMatch(/Supply {10}READ {2}19\.5 °C/)
    expect(out).toContain('found: 1 connections, 3 datapoints')

    const written = await readDocument(file, 'commissioning file', 'connections')
    expect(checkFile(written, protocols)).toMatchObject({
      file: {
        technicalSystem: 'Air',
        connections: [
          {
            protocol: 'bacnet-ip',
            datapoints: [
              { name: 'Supply', accessType: 'READ', unit: '°C' },
              { name: 'Valve "x"', accessType: 'READ_WRITE', writeInputData: { min: 0, max: 100 } },
              { name: 'analog-value,3', accessType: 'READ' },
            ],
          },
        ],
      },
    })
    expect(readFileSync(file, 'utf8')).toMatch(/# ! says no unit.*\n.*# ! takes setpoints/)

    // What an EDE file says is what the scan found.
    const again = join(folder, 'again.yaml')
    const fromEde = await run('bacnet', '10.0.0.5', '--from-ede', ede, '--file', again)
    expect(fromEde.code).toBe(0)
    expect(checkFile(await readDocument(again, '', ''), protocols)).toMatchObject({
      file: { connections: [{ settings: { host: '10.0.0.5', deviceInstance: 1234 }, datapoints: { length: 3 } }] },
    })
    // A file that somebody may have edited stays.
    expect(await run(...scan)).toMatchObject({ code: 1, err: expect.stringContaining('exists: choose another name') })
  })

  test('finds units, prints JSON, and says when there is nothing', async () => {
    const peer = await startScriptedPeer()
    onTestFinished(() => peer.stop())
    peer.serve(({ unitId, functionCode, answer }) => (unitId === 3 ? answer([functionCode | 0x80, 1]) : undefined))
    const scan = ['modbus', `127.0.0.1:${peer.port}`, '--json', '--set']
    const found = await run(...scan, 'timeoutMs=10000', '--units', '3')
    expect([found.code, JSON.parse(found.out).connections]).toMatchObject([0, [{ settings: { unitId: 3 } }]])
    expect(await run(...scan, 'timeoutMs=100', '--units', '9')).toMatchObject({ code: 1 })
  })

  test('writes the names of states beside an EDE file, and reads them from there', async () => {
    const folder = temporaryFolder()
    const ede = join(folder, 'Room_EDE.csv')
    const states = ['Aus', 'Nacht', 'Ein; groß']
    const object = simulatedObject('multi-state-value,1', { name: 'Mode', states, fallback: 1 })
    const device = await startDevice(new Map([['multi-state-value,1', object]]))
    onTestFinished(() => device.stop())
    const target = `127.0.0.1:${device.port}`
    expect(await run('bacnet', target, '--set', 'timeoutMs=10000', '--ede', ede)).toMatchObject({ code: 0, err: '' })

    const readAgain = async (...more: string[]) => {
      const { code, out } = await run('bacnet', '10.0.0.5', '--from-ede', ede, '--json', ...more)
      const { connections, warnings } = JSON.parse(out)
      return { code, states: connections[0].datapoints[0].data.states, warnings }
    }
    expect(await readAgain()).toEqual({ code: 0, states, warnings: [] })

    // As spreadsheets write it: one byte a character, or two.
    const beside = join(folder, 'Room_StateTexts.csv')
    const text = readFileSync(beside, 'utf8')
    writeFileSync(beside, Buffer.from(text, 'latin1'))
    expect(await readAgain()).toEqual({ code: 0, states, warnings: [] })
    writeFileSync(
      beside,
      Buffer.from(`\ufeff${text.replaceAll('"', '').replaceAll('Ein; ', 'Ein ').replaceAll(';', '\t')}`, 'utf16le'),
    )
    expect(await readAgain()).toEqual({ code: 0, states: ['Aus', 'Nacht', 'Ein groß'], warnings: [] })

    const wrong = join(folder, 'wrong.csv')
    writeFileSync(wrong, '2;Off;On')
    expect(await readAgain('--state-texts', wrong)).toEqual({
      ...{ code: 0, states: undefined },
      warnings: [expect.stringMatching(/^line 9: state-text-reference: 1 is not among the state texts/)],
    })
    const missing = await run('bacnet', '--from-ede', ede, '--state-texts', join(folder, 'none.csv'))
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('none.csv cannot be read (ENOENT)') })
    expect(await run('bacnet', target, '--state-texts', wrong)).toMatchObject({ code: 2 })
  })

  test('names the lines of a file that is no EDE file, and writes nothing', async () => {
    const folder = temporaryFolder()
    const [ede, file] = [join(folder, 'bad.csv'), join(folder, 'none.yaml')]
    writeFileSync(ede, '# keyname;device obj.-instance;object-name;object-type;object-instance\na;x;N;2;1')
    const { code, err } = await run('bacnet', '--from-ede', ede, '--file', file)
    expect([code, err]).toEqual([1, expect.stringContaining('bad.csv: line 2: device obj.-instance: x must be')])
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    [[], 'PROTOCOL must be one of'],
    [['mqtt', '10.0.0.5'], 'mqtt must be one of: modbus-tcp'],
    [['modbus'], 'TARGET is missing'],
    [['modbus', '10.0.0.5', 'more'], 'unexpected argument more'],
    [['modbus', '10.0.0.5', '--set', 'x'], '--set x must be KEY=VALUE'],
    [['modbus', '10.0.0.5', '--ede', 'x'], 'EDE files are about BACnet'],
    [['modbus', '10.0.0.5', '--colour'], 'unknown option --colour'],
  ])('%j is wrong usage: %s', async (args, message) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })

  test('of a whole network is refused, with what to do instead', async () => {
    const { code, err } = await run('bacnet', '10.0.0.0/8')
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('scan one host, or networks of at most 256 addresses (/24)'),
    ])
  })
})
