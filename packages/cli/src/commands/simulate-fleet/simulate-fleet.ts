import { readFileSync, writeFileSync } from 'node:fs'
import { every, sleep, systemClock } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ALLOW_PLAIN_MQTT, isPlainToAnotherMachine, plainBrokerProblem } from '@plantroom/contract/broker-url'
import type { FleetStatus } from '@plantroom/contract/fleet-simulation'
import { duration, positiveNumber, wholeNumber } from '../../arguments.ts'
import { operatorClient } from '../../clients.ts'
import { UsageError } from '../../command.ts'
import { readConfig } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import { onTermination } from '../../on-termination.ts'
import { type FleetCredentials, readCredentials, writeCredentials } from './fleet-credentials.ts'
import { FLAGS, type FleetFlags } from './fleet-flags.ts'
import { sayEnd, sayStatus } from './fleet-output.ts'
import { exportedDatapoints, imitatedPlant } from './imitated-plant.ts'
import { type FleetEnd, type ImitatingProcess, startImitating } from './imitating-process.ts'
import { commissionFleet, findPlace, register } from './registration.ts'

const MOST_CONTROLLERS = 28_000
const MOST_VALUES = 1_000
/** For everything that is not a controller's connection. */
const OTHER_FILES = 100
/** Most of the fleet is connected by then; commissioning tries again for the rest. */
const CONNECTED_WITHIN_MS = 60_000
const LOOK_MS = 200
const SAVE_EVERY = 500

export const simulateFleet = command('simulate-fleet', {
  group: 'run',
  about: 'imitate many controllers, to size an installation',
  notes: `They speak the protocol of a real controller to the broker: presence with last wills, commands, measurements that they repeat until the service confirms them. They control nothing. A line every few seconds says how they are. Ctrl-C lets them announce that they go offline; a second one ends them at once, as a power cut does.
One controller takes one file descriptor here and one in the broker, and about 15 kB of memory here.`,
  verbs: {
    '': verb({
      about: 'imitate N controllers, to size an installation',
      arguments: [{ name: 'N' }],
      options: FLAGS,
      json: 'lines with kind status, and a last one with kind closed',
      async run(flags, { N }) {
        const options = readOptions(N, flags)
        checkOpenFiles(options.count)
        const { client, config } = operatorClient({ profile: flags.profile, url: flags.cloud, org: flags.org })
        const fleet = await openFleet(client, config.url, options)
        await registerAll(client, fleet, options)
        if (flags['register-only']) return console.log(sayRegistered(fleet, options))
        await simulate(client, fleet, options)
      },
    }),
  },
})

type Options = ReturnType<typeof readOptions>

function readOptions(n: string, flags: FleetFlags) {
  const config = readConfig({ profile: flags.profile, url: flags.cloud, org: flags.org })
  const number = (name: keyof typeof flags & string, usual: number) =>
    flags[name] === undefined ? usual : wholeNumber(String(flags[name]), `--${name}`)
  const options = {
    count: wholeNumber(n, 'N'),
    url: flags.url ?? config.demo?.mqttUrl ?? 'mqtt://127.0.0.1:1883',
    orgId: config.orgId,
    siteId: flags.site,
    credentials: flags.credentials,
    values: number('values', 20),
    intervalSeconds: number('interval', 60),
    aligned: flags.aligned === true,
    batch: number('batch', 10),
    backlog: number('backlog', 1),
    silent: flags.silent === '0' ? 0 : number('silent', 0),
    connectRate: number('connect-rate', 500),
    commissions: flags['no-commission'] !== true,
    report: flags.report,
    everySeconds: flags.every === undefined ? 5 : positiveNumber(flags.every, '--every'),
    forMs: flags.for === undefined ? undefined : duration(flags.for, '--for'),
    json: flags.json === true,
  }
  if (!URL.canParse(options.url) || !['mqtt:', 'mqtts:'].includes(new URL(options.url).protocol)) {
    throw new UsageError(`--url ${options.url} is not an address that starts with mqtt:// or mqtts://`)
  }
  if (isPlainToAnotherMachine(options.url) && config.environment[ALLOW_PLAIN_MQTT] !== '1') {
    throw new UsageError(`--url: ${plainBrokerProblem(options.url)}`)
  }
  if (options.count > MOST_CONTROLLERS) {
    throw new UsageError(`N ${n} is more than one machine has ports for (${MOST_CONTROLLERS}); use several machines`)
  }
  if (options.values > MOST_VALUES) throw new UsageError(`--values ${options.values} is above ${MOST_VALUES}`)
  if (options.silent > options.count)
    throw new UsageError(`--silent ${options.silent} is more than N (${options.count})`)
  return options
}

/** Every controller is a socket. Node has raised the soft limit to the hard one already. */
function checkOpenFiles(count: number): void {
  const limit = openFilesLimit()
  if (count + OTHER_FILES <= limit) return
  const needed = count + OTHER_FILES
  throw new Error(
    `${count} controllers need ${needed} open files, and this process may have ${limit}: raise the limit with 'ulimit -n ${needed}' first, here and for the broker`,
  )
}

function openFilesLimit(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    // Only Linux says it there.
    return Number.POSITIVE_INFINITY
  }
}

async function openFleet(client: Client, service: string, options: Options): Promise<FleetCredentials> {
  const { values, intervalSeconds } = options
  const known = readCredentials(options.credentials)
  if (known && known.service !== service) {
    throw new Error(
      `the devices in ${options.credentials} belong to ${known.service}, not to ${service}; use another file`,
    )
  }
  if (!known) return { service, ...(await findPlace(client, options)), values, intervalSeconds, devices: [] }
  if (known.values === values && known.intervalSeconds === intervalSeconds) return known
  // Commissioned again: the datapoints differ.
  return { ...known, values, intervalSeconds, devices: known.devices.map(({ id, secret }) => ({ id, secret })) }
}

async function registerAll(client: Client, fleet: FleetCredentials, options: Options): Promise<void> {
  const save = () => writeCredentials(options.credentials, fleet)
  let unsaved = 0
  // Ctrl-C too: their secrets are shown only once.
  using _ = onTermination(save)
  try {
    await register(client, fleet, options.count, () => {
      unsaved += 1
      if (unsaved % SAVE_EVERY === 0) save()
    })
  } finally {
    if (unsaved > 0) save()
  }
}

async function simulate(client: Client, fleet: FleetCredentials, options: Options): Promise<void> {
  const { url, aligned, batch, backlog, connectRate, count, silent } = options
  const imitating = startImitating({
    url,
    aligned,
    batch,
    backlog,
    connectRate,
    intervalMs: options.intervalSeconds * 1000,
    datapoints: exportedDatapoints(imitatedPlant(options.values, options.intervalSeconds)),
    devices: fleet.devices.slice(0, count).map((device, index) => ({ ...device, silent: index < silent })),
  })
  const stopped = new AbortController()
  const stop = () => {
    stopped.abort()
    imitating.stop()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const cancelEnd = options.forMs === undefined ? () => {} : systemClock.after(options.forMs, stop)
  const stopTelling = tellStatus(imitating, options)
  try {
    const commissioned = commissionAll(client, fleet, imitating, { ...options, signal: stopped.signal })
    // The first of them to end or to fail: a service that hangs must not keep the fleet from ending.
    finish(await Promise.race([imitating.ended, commissioned.then(() => imitating.ended)]), options)
  } catch (error) {
    stop()
    throw error
  } finally {
    cancelEnd()
    stopTelling()
    if (options.commissions) writeCredentials(options.credentials, fleet)
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  // A request that the service does not answer would keep this process for minutes.
  process.exit(0)
}

async function commissionAll(
  client: Client,
  fleet: FleetCredentials,
  imitating: ImitatingProcess,
  options: Options & { signal: AbortSignal },
): Promise<void> {
  const { count, signal } = options
  if (!options.commissions || fleet.devices.slice(0, count).every(({ system }) => system)) return
  const deadline = systemClock.monotonic() + CONNECTED_WITHIN_MS
  while (!signal.aborted && (imitating.status?.connected ?? 0) < count && systemClock.monotonic() < deadline) {
    await Promise.race([sleep(systemClock, LOOK_MS, signal), imitating.ended])
  }
  if (signal.aborted) return
  expectConnected(imitating.status, options)
  let unsaved = 0
  const done = () => {
    unsaved += 1
    if (unsaved % SAVE_EVERY === 0) writeCredentials(options.credentials, fleet)
  }
  await commissionFleet(client, fleet, { count, signal, done })
}

/** A controller that is not connected cannot be commissioned. */
function expectConnected(status: FleetStatus | undefined, { count, url }: Options): void {
  const { connected = 0, refused = 0 } = status ?? {}
  if (connected >= count) return
  const cause =
    refused > 0
      ? 'it refuses logins: add the accounts of the devices to it first (--register-only writes them to --credentials FILE)'
      : 'check the address, and how many connections and open files it allows'
  throw new Error(`only ${connected} of ${count} controllers are connected to ${new URL(url).host}: ${cause}`)
}

function tellStatus(imitating: ImitatingProcess, { everySeconds, json }: Options): () => void {
  let before: { status: FleetStatus; at: number } | undefined
  return every(systemClock, everySeconds * 1000, () => {
    const { status } = imitating
    if (!status) return
    const at = systemClock.monotonic()
    console.log(json ? JSON.stringify({ kind: 'status', ...status }) : sayStatus(status, before, at))
    before = { status, at }
  })
}

function finish({ status, confirmed }: FleetEnd, { json, report }: Options): void {
  if (report !== undefined) {
    writeFileSync(report, confirmed.map((history) => `${JSON.stringify(history)}\n`).join(''))
  }
  if (!status) return
  console.log(json ? JSON.stringify({ kind: 'closed', ...status }) : sayEnd(status))
}

function sayRegistered(fleet: FleetCredentials, { json, count, credentials }: Options): string {
  const { orgId, siteId } = fleet
  if (json) return JSON.stringify({ kind: 'registered', devices: count, orgId, siteId })
  return `${count} devices are registered on site ${siteId}${credentials === undefined ? '' : `; their secrets are in ${credentials}`}`
}
