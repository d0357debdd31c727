import type { Clock } from '@plantroom/base/clock'
import { hostInUrl } from '@plantroom/base/local-service'
import type { Log } from '@plantroom/base/log'
import type { CloudConfig } from '../config.ts'
import type { DeviceLink, Devices } from '../control/devices/index.ts'
import { secretMatches } from '../organization/access/index.ts'
import {
  batchGroupOf,
  type DeviceAccounts,
  type DeviceBus,
  openDeviceAccounts,
  openMqttBus,
  startEmbeddedBroker,
  startRetainedSweep,
} from '../platform/broker/index.ts'
import type { Db } from '../platform/db/database.ts'

/** The broker in use, with the address devices connect to. */
interface Broker {
  bus: DeviceBus
  url: string
  /** The port of the embedded broker. */
  port: number | null
  /** How many messages of devices were removed from a broker that keeps messages. */
  retainedCleared?(): number
}

/** Connects to the configured broker, or starts the embedded one. */
export async function openBroker(
  config: CloudConfig,
  deps: {
    cloudId: string
    db: Db
    devices: Devices
    parts: AsyncDisposableStack
    onRefused(): void
    clock: Clock
    log: Log
  },
): Promise<Broker> {
  const { cloudId, db, devices, parts, onRefused, clock, log } = deps
  if (config.mqttUrl) {
    const bus = await openMqttBus({ url: config.mqttUrl, cloudId, batchGroup: await batchGroupOf(db), clock, log })
    parts.defer(() => bus.close())
    const retained = startRetainedSweep({ url: config.mqttUrl, cloudId, clock, log })
    parts.defer(() => retained.close())
    devices.subscribe((before, after) => {
      if (before && !after) retained.forget(before.id)
    })
    // Published without our password. That broker disconnects devices by its own rules.
    const url = new URL(config.mqttUrl)
    url.username = url.password = ''
    return { bus, url: url.href, port: null, retainedCleared: () => retained.cleared }
  }
  const bus = await startEmbeddedBroker({
    host: config.host,
    port: config.mqttPort,
    tls: config.tls,
    authenticate(deviceId, secret) {
      const device = devices.get(deviceId)
      return device !== undefined && secretMatches(secret, device.secretHash)
    },
    connections: { ...config.limits.brokerConnections, onRefused },
    clock,
    log,
  })
  parts.defer(() => bus.close())
  // A device that was removed or has a new secret must reconnect.
  devices.subscribe((before, after) => {
    if (before && !after?.secretHash.equals(before.secretHash)) bus.disconnect(before.id)
  })
  return { bus, url: `${config.tls ? 'mqtts' : 'mqtt'}://${hostInUrl(config.host)}:${bus.port}`, port: bus.port }
}

/**
 * Returns a function with the address that devices connect to. The embedded broker is on the host of the service, as the
 * caller reached it.
 */
export function createBrokerUrl(
  { url, port }: Pick<Broker, 'url' | 'port'>,
  { publicUrl, tls }: Pick<CloudConfig, 'publicUrl' | 'tls'>,
): (hostname: string) => string {
  const publicHost = publicUrl && new URL(publicUrl).hostname
  return (hostname) => {
    if (port === null) return url
    // The name of a public address is already in the form of addresses.
    return `${tls ? 'mqtts' : 'mqtt'}://${publicHost ?? hostInUrl(hostname.replace(/^\[|\]$/g, ''))}:${port}`
  }
}

/** Opens what manages the accounts of devices at the broker, if the settings ask for it. */
export async function openAccounts(
  { mqttUrl: url, brokerAccounts: settings }: Pick<CloudConfig, 'mqttUrl' | 'brokerAccounts'>,
  deps: { cloudId: string; devices: Devices; db: Db; clock: Clock; log: Log },
): Promise<DeviceAccounts | undefined> {
  const { devices, ...rest } = deps
  if (!url || !settings) return undefined
  return openDeviceAccounts(settings, {
    ...rest,
    url,
    onSecretChange: (changed) =>
      devices.subscribe((before, after) => {
        const isSame = before && after && before.secretHash.equals(after.secretHash)
        if (!isSame) changed()
      }),
  })
}

/** Throws while the broker cannot be used, and until the first picture of which devices are online is complete. */
export function requireReachable(bus: DeviceBus, link: DeviceLink): void {
  if (bus.problem !== undefined) throw new Error(bus.problem)
  if (!link.isComplete) throw new Error('asking which devices are online')
}
