import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '@plantroom/base/clock'
import {
  answers,
  type Check,
  checkDisk,
  checkFolder,
  checkPort,
  checkTimeZones,
  type Finding,
  ok,
  problem,
  reasonOf,
  warning,
} from '@plantroom/base/diagnosis'
import { checkLogin } from './broker-check.ts'

const MB = 1_000_000
const SQLITE_BUSY = 5
/** How the names of damaged journals begin that the controller kept. */
const DAMAGED = 'journal.damaged-'
const STEP_MS = 8_000

interface Controller {
  folder: string
  mqttUrl: string
  deviceId: string
  deviceSecret: string
  metrics: { host: string; port: number } | undefined
}

/** Everything that a controller needs on its machine and from the broker. */
export function edgeChecks(config: Controller, clock: Clock): Check[] {
  const { folder, metrics } = config
  const disk = 'check the disk of the data folder; a worn SD card often becomes read-only'
  return [
    { name: 'data folder', run: () => checkFolder(folder), remedy: disk },
    { name: 'disk', run: () => checkDisk(folder, { enough: 500 * MB, little: 50 * MB }), remedy: disk },
    { name: 'journal', run: async () => checkJournal(folder), remedy: disk },
    { name: 'time zones', run: async () => checkTimeZones(), remedy: 'use a Node with complete ICU data' },
    ...(metrics
      ? [
          {
            name: 'metrics port',
            run: () =>
              checkPort({
                ...metrics,
                setting: 'PLANTROOM_METRICS_PORT',
                listener: async () => ((await isRunning(folder)) ? 'ours' : 'another program'),
              }),
            remedy: 'set PLANTROOM_METRICS_PORT',
          },
        ]
      : []),
    {
      name: 'broker',
      // A second login with the same id would end the link of the running controller.
      run: () => (isRunning(folder) ? checkReachable(config.mqttUrl) : checkLogin(config, clock)),
      remedy: 'check that the broker runs, and MQTT_URL',
    },
  ]
}

/** Whether a controller process has the journal open. */
export function isRunning(folder: string): boolean {
  return stateOfJournal(folder) === 'held'
}

function checkJournal(folder: string): Finding | Finding[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const kept = names.filter((name) => name.startsWith(DAMAGED) && name.endsWith('.db'))
  if (kept.length === 0) return describeJournal(folder)
  const aside = warning(
    `the controller has lost its memory before: ${kept.join(', ')}`,
    'the service gave back what it knew; check the disk, then delete these files',
  )
  return [describeJournal(folder), aside]
}

function describeJournal(folder: string): Finding {
  const state = stateOfJournal(folder)
  if (state === 'held') return ok('a controller process runs and has the journal open')
  if (state === 'absent') return ok('there is no journal yet; the first start creates it')
  return state === 'closed'
    ? ok('the journal can be opened; no controller process runs')
    : problem(
        `the journal cannot be opened (${state.message})`,
        'look at the disk (dmesg) and start the controller: it keeps a damaged journal aside, and the service gives back what it knows',
      )
}

function stateOfJournal(folder: string): 'absent' | 'held' | 'closed' | Error {
  const path = join(folder, 'journal.db')
  if (!existsSync(path)) return 'absent'
  let journal: DatabaseSync | undefined
  try {
    journal = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    journal.prepare('PRAGMA user_version').get()
    const found = journal.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return found === 'ok' ? 'closed' : new Error(String(found))
  } catch (error) {
    return (error as { errcode?: number }).errcode === SQLITE_BUSY ? 'held' : (error as Error)
  } finally {
    journal?.close()
  }
}

/** Whether the broker accepts connections, and its certificate is trusted. Signs in to nothing. */
async function checkReachable(mqttUrl: string): Promise<Finding> {
  const { protocol, hostname, port } = new URL(mqttUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'mqtts:' || protocol === 'wss:'
  const usual = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }[protocol] ?? 1883
  const place = `${host}:${port || usual}`
  const note = 'the login is not tried, because that would end the link of the running controller'
  const remedy =
    'check that the broker runs, the host and port in MQTT_URL, and NODE_EXTRA_CA_CERTS for your own authority'
  if (!isTls) {
    return (await answers(host, Number(port || usual)))
      ? ok(`${place} accepts connections; ${note}`)
      : problem(`${place} does not accept connections`, remedy)
  }
  const { promise, resolve } = Promise.withResolvers<Finding>()
  const socket = connectTls({ host, port: Number(port || usual), servername: host, timeout: STEP_MS })
  socket.once('secureConnect', () => resolve(ok(`${place} accepts encrypted connections; ${note}`)))
  socket.once('timeout', () => resolve(problem(`${place} does not answer`, remedy)))
  socket.once('error', (error) => resolve(problem(`${place} cannot be used: ${reasonOf(error)}`, remedy)))
  return promise.finally(() => socket.destroy())
}
