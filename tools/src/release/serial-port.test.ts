import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { ARCHITECTURES, type Architecture, writeEdge } from './programs.ts'
import { copySerialPort } from './serial-port.ts'

const OWN: Architecture = process.arch === 'x64' ? 'amd64' : 'arm64'
/** The machine that an ELF file is for. */
const MACHINES: Record<Architecture, number> = { amd64: 0x3e, arm64: 0xb7 }

const folder = mkdtempSync(join(tmpdir(), 'plantroom-serial-port-'))
/** A controller as a package installs it. */
const installed = join(folder, 'installed')

beforeAll(() => writeEdge(ROOT, installed, OWN))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns what the command of an installation says about a serial port. */
function probe(home: string, path: string): string {
  const file = join(folder, 'line.json')
  const datapoint = { name: 'Power', accessType: 'READ', data: { register: 12, type: 'uint16' } }
  const connection = { name: 'Meter', protocol: 'modbus-rtu', settings: { path, unitId: 7 }, datapoints: [datapoint] }
  writeFileSync(file, JSON.stringify({ technicalSystem: 'Meters', connections: [connection] }))
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const args = ['edge', 'probe', file, '--json']
  const { stdout } = spawnSync(join(home, 'bin/plantroom'), args, { env, encoding: 'utf8' })
  return JSON.parse(stdout).connections[0].error
}

test('an installed controller opens serial ports', () => {
  expect(probe(installed, '/dev/no-such-port')).toBe(
    '/dev/no-such-port does not exist: check that the adapter is plugged in',
  )
})

test('an installation without the package names the command that installs it', () => {
  const without = join(folder, 'without')
  cpSync(installed, without, { recursive: true })
  rmSync(join(without, 'node_modules'), { recursive: true })
  expect(probe(without, '/dev/ttyUSB0')).toBe(
    `serial ports need an additional package: run "npm install --no-save serialport@13.0.0" in ${without}, then restart the controller`,
  )
})

test('an installation whose native code cannot be loaded says why', () => {
  const damaged = join(folder, 'damaged')
  cpSync(installed, damaged, { recursive: true })
  for (const native of globSync('node_modules/**/*.node', { cwd: damaged })) writeFileSync(join(damaged, native), 'x')
  expect(probe(damaged, '/dev/ttyUSB0')).toMatch(/^serial ports cannot be opened \(.+\): install Plantroom again$/)
  for (const native of globSync('node_modules/**/*.node', { cwd: damaged })) rmSync(join(damaged, native))
  expect(probe(damaged, '/dev/ttyUSB0')).toMatch(
    /^serial ports cannot be opened \(No native build was found .+\): install Plantroom again$/,
  )
})

test.each(Object.keys(ARCHITECTURES) as Architecture[])(
  '%s gets native code of its own only, with all licences',
  (name) => {
    const target = join(folder, name)
    copySerialPort(ROOT, target, ARCHITECTURES[name])
    const natives = globSync('**/*.node', { cwd: target })
    expect(natives).toHaveLength(1)
    expect(readFileSync(join(target, natives[0] ?? '')).readUInt16LE(18)).toBe(MACHINES[name])
    for (const path of globSync('**/package.json', { cwd: target })) {
      const home = join(target, path, '..')
      expect([path, globSync('{LICENSE,license}*', { cwd: home }).length]).toEqual([path, 1])
    }
    expect(existsSync(join(target, 'node_modules/@serialport/bindings-cpp/src'))).toBe(false)
  },
)
