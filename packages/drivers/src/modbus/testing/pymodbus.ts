import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Table, ValueType, WordOrder } from '../config.ts'

const PYTHON = '/usr/bin/python3'
const MBPOLL = '/usr/bin/mbpoll'
const SCRIPT = fileURLToPath(new URL('pymodbus_server.py', import.meta.url))

/** Not installed here: suites that need it are reported as skipped. */
export const withoutPymodbus =
  !existsSync(PYTHON) || spawnSync(PYTHON, ['-c', 'import pymodbus.server, pymodbus.payload']).status !== 0
export const withoutMbpoll = !existsSync(MBPOLL)

/** A place at the server, and how the value there is encoded. */
export interface Place {
  unit: number
  table: Table
  address: number
  type: ValueType
  order: WordOrder
}

export interface Pymodbus {
  port: number
  /** Returns what the server holds there, decoded by pymodbus, as the text of a number. */
  at(place: Place): Promise<string>
  /** Puts a value there, encoded by pymodbus. */
  put(place: Place, value: number): Promise<void>
  /** From now on it gives no answer to requests that include one of these addresses, and answers all others. */
  silence(places: readonly Pick<Place, 'unit' | 'table' | 'address'>[]): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Starts a pymodbus server that holds these values and no other address. `serial` is the path of the port that it serves. */
export async function startPymodbus(
  values: readonly (Place & { value: string })[],
  port = 0,
  how: { framer?: 'rtu'; serial?: string } = {},
): Promise<Pymodbus> {
  const child = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (request: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the pymodbus server has ended')
    return JSON.parse(value)
  }
  const ready = await ask({ port, values, ...how })
  return {
    port: ready.port as number,
    at: async ({ unit, table, address, type, order }) =>
      String((await ask({ unit, table, address, type, order })).value),
    async put(place, value) {
      await ask({ ...place, value: String(value) })
    },
    async silence(places) {
      await ask({ silent: places.map(({ unit, table, address }) => ({ unit, table, address })) })
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const TYPE_OF_TABLE: Record<Table, string> = { coil: '0', discrete: '1', input: '3', holding: '4' }

/** What mbpoll reads: registers as they are, or as it decodes two of them itself, big-endian. */
export async function mbpoll(
  port: number,
  { unit, table, address }: Pick<Place, 'unit' | 'table' | 'address'>,
  count: number,
  as?: 'int' | 'float',
): Promise<readonly number[]> {
  const type = TYPE_OF_TABLE[table] + (as ? `:${as}` : table === 'holding' || table === 'input' ? ':hex' : '')
  const output = await runMbpoll(port, unit, ['-t', type, '-r', String(address), '-c', String(count), '127.0.0.1'])
  return [...output.matchAll(/^\[\d+\]:\s+(\S+)/gm)].map(([, value]) => Number(value))
}

/** Lets mbpoll write registers, one after the other. */
export async function mbpollWrite(port: number, unit: number, address: number, ...words: number[]): Promise<void> {
  await runMbpoll(port, unit, ['-t', '4', '-r', String(address), '127.0.0.1', '--', ...words.map(String)])
}

/** What mbpoll reads from holding registers over a serial line. @param times how often it reads them */
export async function mbpollOnLine(
  path: string,
  unit: number,
  register: number,
  times = 1,
): Promise<readonly number[]> {
  const line = ['-m', 'rtu', '-b', '19200', '-P', 'none', '-a', String(unit), '-0', '-t', '4', '-r', String(register)]
  const often = times === 1 ? ['-1'] : ['-l', '20']
  const run = promisify(execFile)(MBPOLL, [...line, ...often, '-o', '1', path], {
    // Without a count of its own, it polls until it is ended.
    ...(times > 1 && { timeout: 20 * times, killSignal: 'SIGINT' as const }),
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return [...stdout.matchAll(/^\[\d+\]:\s+(\S+)/gm)].map(([, value]) => Number(value))
}

async function runMbpoll(port: number, unit: number, args: readonly string[]): Promise<string> {
  const common = ['-m', 'tcp', '-p', String(port), '-a', String(unit), '-1', '-0', '-B', '-o', '10']
  const { stdout } = await promisify(execFile)(MBPOLL, [...common, ...args])
  return stdout
}
