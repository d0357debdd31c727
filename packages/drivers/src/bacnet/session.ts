import { lookup as systemLookup } from 'node:dns'
import { isIPv4, type LookupFunction } from 'node:net'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener, ProtocolDeps } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { Commands } from './commands.ts'
import type { BacnetPoint, BacnetSettings } from './config.ts'
import { Cov } from './cov.ts'
import { Device, RANK } from './device.ts'
import { registerForeignDevice } from './foreign-device.ts'
import type { Peer } from './network.ts'
import type { Ports } from './ports.ts'
import { Reader } from './reader.ts'
import type { UdpPort } from './udp-port.ts'

/** A device that has answered, and everything that is known about it until the connection is closed. */
export interface Session {
  reader: Reader
  commands: Commands
  cov: Cov | undefined
}

export interface SessionDeps {
  clock: Clock
  lookup: LookupFunction | undefined
  listener: DriverListener | undefined
  ports: Ports
  nextProcessId: () => number
  lastReleases: Map<BacnetPoint, symbol>
}

interface Config {
  settings: BacnetSettings
  points: readonly BacnetPoint[]
}

/**
 * Finds a device and asks who it is. What was taken on the way is given up when `signal` aborts, which also ends the
 * session. Rejects with `offline`.
 */
export async function openSession(
  { settings, points }: Config,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<Session> {
  const { clock, listener } = deps
  throwIfAborted(signal)
  const { port, leave } = deps.ports.take(settings.localPort)
  onAbort(signal, leave)
  await port.ready()
  throwIfAborted(signal)
  const peer = await locate(settings, port, deps, signal)
  throwIfAborted(signal)
  const { client, inTurn, leave: leaveClient } = port.join(peer)
  onAbort(signal, leaveClient)

  const device = new Device({ client, inTurn, listener, signal, ...settings })
  await device.inTurn(RANK.urgent, () => device.identify(settings.deviceInstance))
  throwIfAborted(signal)
  const { nextProcessId } = deps
  const cov = settings.mode === 'cov' ? new Cov(points, { clock, client, device, nextProcessId }) : undefined
  onAbort(signal, () => cov?.close())
  return {
    reader: new Reader(device, settings.deviceInstance, clock),
    commands: new Commands(device, settings.priority, deps.lastReleases),
    cov,
  }
}

async function locate(settings: BacnetSettings, port: UdpPort, deps: SessionDeps, signal: AbortSignal): Promise<Peer> {
  const { foreignDevice, deviceInstance, host, behind, timeoutMs } = settings
  const { clock } = deps
  if (foreignDevice) {
    const bbmd = { ...foreignDevice, address: await addressOf(foreignDevice.host, deps, signal) }
    const registered = await registerForeignDevice(port, bbmd, { clock, timeoutMs, signal })
    onAbort(signal, registered.close)
    if (host === '' && deviceInstance !== undefined) return registered.find(deviceInstance)
  }
  return { address: await addressOf(host, deps, signal), port: settings.port, behind }
}

/** A name server may take as long as it likes; closing does not wait for it. */
export async function addressOf(
  host: string,
  { lookup = systemLookup }: Pick<ProtocolDeps, 'lookup'>,
  signal: AbortSignal,
): Promise<string> {
  if (isIPv4(host)) return host
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  onAbort(signal, () => reject(cancelled()))
  lookup(host, { family: 4 }, (error, address) => {
    if (error) reject(new Failure('offline', `${excerpt(host)} cannot be found: ${excerpt(error.message)}`))
    else resolve(String(address))
  })
  return promise
}

export function onAbort(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action()
  else signal.addEventListener('abort', action, { once: true })
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled()
}

const cancelled = () => new Failure('offline', 'opening the connection was cancelled')
