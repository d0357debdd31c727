import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { sleep, systemClock } from '@plantroom/base/clock'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { mbpoll, mbpollWrite, startPymodbus } from '@plantroom/drivers/modbus/testing/pymodbus'
import { ownFolder } from './folder.ts'
import { run } from './run.ts'

const UNIT = 1
const PEOPLE_KW = 40
const PLAIN_KW = 5
const SOURCE = `${import.meta.dirname}/libmodbus_site.c`
export const withoutLibmodbus = !existsSync('/usr/bin/cc') || !existsSync('/usr/include/modbus/modbus.h')

/** A site that others wrote: a battery at its setpoint, and a meter of what people and the battery draw. */
export interface ForeignSite extends AsyncDisposable {
  readonly port: number
}

const place = (address: number, type: 'int16' | 'int32') =>
  ({ unit: UNIT, table: 'holding', address, type, order: 'ABCD' }) as const
const METER = place(0, 'int32')
const SETPOINT = place(100, 'int16')
const PEOPLE = place(200, 'int16')

/** Commissions the battery and the meter of such a site, with a power limit. */
export function foreignRoom(port: number): CommissioningFile {
  const kw = (raw: number) => ({ inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 100 * raw })
  const about = { unit: 'kW', analyticsInterval: 0, broadcastInterval: 0 }
  const settings = { host: '127.0.0.1', port, unitId: UNIT, pollSeconds: 0.2, timeoutMs: 2_000 }
  return {
    technicalSystem: 'Site of another maker',
    connections: [
      {
        ...{ name: 'Site', protocol: 'modbus-tcp', settings },
        datapoints: [
          { ...about, name: 'Grid', accessType: 'READ', scaler: kw(1000), data: { register: 0, type: 'int32' } },
          {
            ...about,
            name: 'Battery',
            accessType: 'READ_WRITE',
            scaler: kw(10),
            data: { register: 100, type: 'int16' },
          },
        ],
      },
    ],
    powerLimit: {
      meter: 'Grid',
      guaranteedKw: 0,
      loads: [{ datapoint: 'Battery', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50 }],
    },
  }
}

/** Serves the site by pymodbus. The battery follows its setpoint in a loop of ours. */
export async function pymodbusSite(): Promise<ForeignSite> {
  const server = await startPymodbus([
    { ...METER, value: String((PEOPLE_KW + PLAIN_KW) * 1000) },
    { ...SETPOINT, value: String(PLAIN_KW * 10) },
    { ...PEOPLE, value: String(PEOPLE_KW * 10) },
  ])
  const ended = new AbortController()
  let batteryKw = PLAIN_KW
  const physics = (async () => {
    while (!ended.signal.aborted) {
      const missing = Number(await server.at(SETPOINT)) / 10 - batteryKw
      batteryKw += Math.max(-4, Math.min(4, missing))
      await server.put(METER, Math.round(Number(await server.at(PEOPLE)) * 100 + batteryKw * 1000))
      await sleep(systemClock, 200, ended.signal)
    }
  })()
  return {
    port: server.port,
    async [Symbol.asyncDispose]() {
      ended.abort()
      await physics.catch(() => {})
      await server.kill()
    },
  }
}

/** Compiles and runs the site by libmodbus, whose battery follows its setpoint in C. */
export async function libmodbusSite(): Promise<ForeignSite> {
  const folder = ownFolder()
  const program = `${folder.path}/site`
  const compiled = await run('/usr/bin/cc', ['-O1', '-o', program, SOURCE, '-lmodbus'])
  if (compiled.code !== 0) throw new Error(compiled.stderr)
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** What mbpoll, a client that others wrote, reads and writes there. */
export const seenByMbpoll = ({ port }: ForeignSite) => ({
  setpointKw: async () => signed((await mbpoll(port, SETPOINT, 1))[0]) / 10,
  meterKw: async () => Number((await mbpoll(port, METER, 1, 'int'))[0]) / 1000,
  peopleDraw: (kw: number) => mbpollWrite(port, UNIT, PEOPLE.address, kw * 10),
})

const signed = (word = 0) => (word >= 0x8000 ? word - 0x1_0000 : word)
