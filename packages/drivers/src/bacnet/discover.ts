import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Discovered, ProtocolDeps } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { SCAN_PAUSE_MS, scanTargets } from '../scan-target.ts'
import { encodeUnconfirmed, UNCONFIRMED } from './apdu.ts'
import { type BacnetSettings, parseConfig } from './config.ts'
import { Device, RANK } from './device.ts'
import { registerForeignDevice } from './foreign-device.ts'
import { type Peer, peerKey, toDevice, toEveryNetwork } from './network.ts'
import type { Ports } from './ports.ts'
import { readDevice } from './read-device.ts'
import { encodeWhoIs } from './services.ts'
import { addressOf, onAbort } from './session.ts'
import type { UdpPort } from './udp-port.ts'

interface Deps extends ProtocolDeps {
  ports: Ports
}

/** Of more devices, a scan reports that there are more. */
const MAX_DEVICES = 128
const ANY_NETWORK = 65_535

/** Where a scan asks, and how. */
interface Target {
  settings: BacnetSettings
  given: Record<string, unknown>
  /** The hosts that are asked; none where a BBMD passes the question on. */
  hosts: readonly string[]
  /** A network behind a router, which is the host. */
  network: number | undefined
}

interface Located {
  instance: number
  peer: Peer
}

/**
 * Finds the devices at a host, in a small network, behind a router or behind a BBMD, and reads the objects of each. Devices
 * are asked one by one.
 */
export async function* discoverDevices(
  given: Record<string, unknown>,
  deps: Deps,
  signal: AbortSignal,
): AsyncGenerator<Discovered> {
  const target = parseTarget(given)
  const { port, leave } = deps.ports.take(target.settings.localPort)
  try {
    await port.ready()
    const { devices, warnings } = await locateAll(target, port, deps, signal)
    for (const message of warnings) yield { kind: 'warning', message }
    for (const [index, located] of devices.entries()) {
      if (signal.aborted) return
      yield { kind: 'progress', done: index, of: devices.length }
      yield* scanDevice(located, target, port, deps, signal)
    }
    yield { kind: 'progress', done: devices.length, of: devices.length }
  } finally {
    leave()
  }
}

function parseTarget(given: Record<string, unknown>): Target {
  const { network, mac, deviceInstance, ...others } = given
  const isBehind = network !== undefined && mac === undefined
  const isFound = others.host === undefined && others.foreignDevice !== undefined
  const hosts = isFound ? [] : scanTargets(others.host)
  const isWrong = isBehind && !(Number.isInteger(network) && Number(network) >= 1 && Number(network) <= ANY_NETWORK)
  if (isWrong || (isBehind && hosts.length !== 1)) {
    const message = 'network: must be a number from 1 to 65535, of networks behind the one router that is the host'
    throw new Failure('invalid', `settings.${message}`, 'settings.network')
  }
  const { config, problems } = parseConfig({
    settings: {
      ...others,
      ...(isFound ? { deviceInstance: deviceInstance ?? 0 } : { host: hosts[0], deviceInstance }),
      ...(mac !== undefined && { network, mac }),
    },
    datapoints: [],
  })
  refuseProblems(problems)
  return { settings: config.settings, given, hosts, network: isBehind ? Number(network) : undefined }
}

const WHO_IS = encodeUnconfirmed(UNCONFIRMED.whoIs, encodeWhoIs())

/** Sends Who-Is where the target points, and collects who says where it is. */
async function locateAll(
  { settings, hosts, network }: Target,
  port: UdpPort,
  deps: Deps,
  signal: AbortSignal,
): Promise<{ devices: readonly Located[]; warnings: readonly string[] }> {
  const { clock } = deps
  const { timeoutMs } = settings
  const found = createFound()
  const asked = new Set<string>()
  const isOne = hosts.length === 1 && network === undefined
  const enough = Promise.withResolvers<void>()
  const stop = port.listen({
    result() {},
    iAm(instance, peer) {
      // What answers without having been asked is not looked at.
      if (hosts.length > 0 && !asked.has(peer.address)) return
      found.add({ instance, peer })
      if (isOne || found.isFull()) enough.resolve()
    },
  })
  const listening = new AbortController()
  try {
    if (settings.foreignDevice) await askBbmd(settings, port, deps, signal)
    const peers: Peer[] = []
    for (const host of hosts) {
      const peer = { address: await addressOf(host, deps, signal), port: settings.port, behind: settings.behind }
      asked.add(peer.address)
      peers.push(peer)
      const behind = network === undefined ? settings.behind : { network, mac: new Uint8Array() }
      port.send(toDevice({ behind }, WHO_IS, false), peer)
      if (hosts.length > 1) await sleep(clock, SCAN_PAUSE_MS, signal)
      if (signal.aborted) break
    }
    await Promise.race([sleep(clock, timeoutMs, AbortSignal.any([signal, listening.signal])), enough.promise])
    // Many devices announce themselves to everyone, which we do not hear.
    if (network === undefined) await askSilent(peers, found, { settings, port, clock, signal })
  } finally {
    listening.abort()
    stop()
  }
  return { devices: found.devices(), warnings: found.warnings() }
}

async function askBbmd(settings: BacnetSettings, port: UdpPort, deps: Deps, signal: AbortSignal): Promise<void> {
  const { foreignDevice, timeoutMs } = settings
  if (!foreignDevice) return
  const bbmd = { ...foreignDevice, address: await addressOf(foreignDevice.host, deps, signal) }
  const registered = await registerForeignDevice(port, bbmd, { clock: deps.clock, timeoutMs, signal })
  // The registration lasts longer than a scan.
  onAbort(signal, registered.close)
  registered.close()
  if (settings.host === '') port.send(toEveryNetwork(WHO_IS), bbmd)
}

const AT_ONCE = 8

/** Asks hosts that did not say who they are, by a question that each device has to answer. */
async function askSilent(
  peers: readonly Peer[],
  found: Found,
  { settings, port, clock, signal }: { settings: BacnetSettings; port: UdpPort; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const waiting = peers.filter((peer) => !found.has(peer))
  const retries = peers.length === 1 ? settings.retries : 0
  async function askNext(): Promise<void> {
    for (let peer = waiting.shift(); peer && !signal.aborted; peer = waiting.shift()) {
      const { client, inTurn, leave } = port.join(peer)
      const device = new Device({ client, inTurn, listener: undefined, signal, ...settings, retries })
      const instance = await device.inTurn(RANK.scan, () => device.findInstance(undefined)).catch(ignoreFailure)
      if (instance !== undefined) found.add({ instance, peer })
      leave()
      await sleep(clock, SCAN_PAUSE_MS, signal)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askNext))
}

function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

type Found = ReturnType<typeof createFound>

/** The devices that were found, the first of each address. */
function createFound() {
  const byPeer = new Map<string, Located>()
  let isFull = false
  return {
    /** More devices have answered than are kept. */
    isFull: () => isFull,
    has: (peer: Peer) => byPeer.has(peerKey(peer)),
    add(located: Located) {
      const key = peerKey(located.peer)
      if (byPeer.has(key)) return
      if (byPeer.size >= MAX_DEVICES) isFull = true
      else byPeer.set(key, located)
    },
    devices: () => [...byPeer.values()].toSorted((a, b) => a.instance - b.instance),
    warnings() {
      const shared = [...Map.groupBy(byPeer.values(), ({ instance }) => instance)].filter(([, all]) => all.length > 1)
      return [
        ...(isFull ? [`more than ${MAX_DEVICES} devices answered: scan a smaller part of the network`] : []),
        ...shared.map(
          ([instance, all]) =>
            `device ${instance} answers at ${excerpt(all.map(({ peer }) => peerKey(peer)).join(' and '))}: an instance must be unique in a building`,
        ),
      ]
    },
  }
}

async function* scanDevice(
  { instance, peer }: Located,
  { settings, given }: Target,
  port: UdpPort,
  { clock }: Deps,
  signal: AbortSignal,
): AsyncGenerator<Discovered> {
  const { client, inTurn, leave } = port.join(peer)
  try {
    const device = new Device({ client, inTurn, listener: undefined, signal, ...settings })
    yield { kind: 'found', connection: await readDevice(device, { instance, peer, given, clock, signal }) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!signal.aborted) yield { kind: 'warning', message: `device ${instance}: ${error.message}` }
  } finally {
    leave()
  }
}
