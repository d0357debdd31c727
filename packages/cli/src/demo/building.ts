import { join } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import { sha256 } from '@plantroom/base/sha256'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { type CommissionedConnection, type CommissioningFile, changesOf } from '@plantroom/contract/commissioning'
import type { Connection, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Protocol } from '@plantroom/contract/protocols'
import { readCommissioningFile } from '../commissioning-file.ts'
import type { DemoFile } from './demo-file.ts'
import type { SimulatorReady } from './simulator.ts'

/** In the order of the tour. */
export const FILES = ['battery-room.yaml', 'heat-pump.yaml', 'air-handling.yaml']

const DEVICE_OFFLINE = 502
/** For example, because the equipment moved while it is held. */
const DEVICE_REJECTED = 499
const ONLINE_TIMEOUT_MS = 20_000
const RETRY_MS = 100

interface Options {
  operator: Client
  clock: Clock
  signal: AbortSignal
  orgId: string
  deviceId: string
  equipment: SimulatorReady
  folder: string
  /** What an earlier start of this demo wrote. */
  last: DemoFile | undefined
}

/**
 * Loads the files of the simulated building as soon as the device is online. What a person has loaded since the last start
 * stays. Returns the resulting connections, and marks of what the demo itself has loaded.
 */
export async function commissionBuilding(options: Options): Promise<Pick<DemoFile, 'connections' | 'commissioned'>> {
  const { operator, orgId, deviceId, folder, equipment, last } = options
  const list = async () => (await operator.listTechnicalSystems({ orgId, deviceId })).technicalSystems
  const before = await list()
  const commissioned: Record<string, string> = {}
  for (const name of FILES) {
    const own = withEndpoints(await readCommissioningFile(join(folder, name)), equipment)
    const mark = last?.commissioned?.[own.technicalSystem]
    const now = await currentFile(options, before, own.technicalSystem)
    const file = fileToLoad({ own, now, mark, moved: movedEndpoints(last, equipment) })
    if (file) await load(options, file)
    // Read back, because the service writes a file in its own way.
    const loaded = file === own ? await currentFile(options, await list(), own.technicalSystem) : undefined
    const markNow = loaded ? markOf(loaded) : mark
    if (markNow !== undefined) commissioned[own.technicalSystem] = markNow
  }
  const connections = (await list())
    .flatMap((system) => system.connections)
    .map((connection) => ({ ...connection, endpoint: endpointOf(connection) }))
  return { connections, commissioned }
}

/**
 * Decides what to load at a start: the demo's own file where nothing is commissioned or what the demo loaded is unchanged;
 * otherwise nothing, except to follow simulated equipment that has moved to another port. Pure.
 */
export function fileToLoad(at: {
  own: CommissioningFile
  /** What is commissioned; `undefined` for nothing. */
  now: CommissioningFile | undefined
  /** The mark of what the demo loaded last; `undefined` if it never did. */
  mark: string | undefined
  moved: ReadonlyMap<string, object>
}): CommissioningFile | undefined {
  const { own, now, mark, moved } = at
  // A system that the demo has loaded once and that is gone was removed by a person.
  if (!now) return mark === undefined ? own : undefined
  const isOwn = markOf(now) === mark || changesOf(withoutEndpoints(now), withoutEndpoints(own)).system === 'same'
  if (isOwn) return own
  const followed = { ...now, connections: now.connections.map((connection) => follow(connection, moved)) }
  return changesOf(now, followed).system === 'same' ? undefined : followed
}

/** Stands for what a file says, wherever the simulated equipment listens. */
export const markOf = (file: CommissioningFile) => sha256(JSON.stringify(withoutEndpoints(file)))

function withoutEndpoints(file: CommissioningFile): CommissioningFile {
  return withEndpoints(file, { modbus: { host: '', port: 0 }, mqtt: { url: '' }, obix: { url: '' } })
}

/** Returns where connections must look now, by the endpoint where the equipment was at the last start. */
export function movedEndpoints(last: DemoFile | undefined, equipment: SimulatorReady): ReadonlyMap<string, object> {
  const places = placesOf(equipment)
  const known = last?.connections.flatMap(({ protocol, endpoint }) => {
    const place = places[protocol]
    return place ? [[`${protocol} ${endpoint}`, place] as const] : []
  })
  return new Map(known)
}

function follow(connection: CommissionedConnection, moved: ReadonlyMap<string, object>): CommissionedConnection {
  const place = moved.get(`${connection.protocol} ${endpointOf(connection)}`)
  return place ? { ...connection, settings: { ...connection.settings, ...place } } : connection
}

async function currentFile(
  { operator, orgId, deviceId }: Options,
  systems: readonly TechnicalSystem[],
  name: string,
): Promise<CommissioningFile | undefined> {
  const system = systems.find((each) => each.name === name)
  return system && operator.getCommissioningFile({ orgId, deviceId, systemId: system.id })
}

async function load(options: Options, file: CommissioningFile): Promise<void> {
  const { operator, orgId, deviceId } = options
  await whenOnline(options, () => operator.commission({ orgId, deviceId, body: file })).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== DEVICE_REJECTED) throw error
    const remedy = 'Or end the program that uses the old port of the equipment, or set PLANTROOM_DATA to a new folder'
    throw new Error(`${error.message}. ${remedy}`, { cause: error })
  })
}

/** Returns the file with connections that point to the simulated equipment. */
export function withEndpoints(file: CommissioningFile, equipment: SimulatorReady): CommissioningFile {
  const places = placesOf(equipment)
  const atPlace = (connection: CommissionedConnection) => ({
    ...connection,
    settings: { ...connection.settings, ...places[connection.protocol] },
  })
  return { ...file, connections: file.connections.map(atPlace) }
}

function placesOf({ modbus, mqtt, obix }: SimulatorReady): Readonly<Partial<Record<Protocol, object>>> {
  return {
    'modbus-tcp': { host: modbus.host, port: modbus.port },
    mqtt: { url: mqtt.url },
    obix: { url: obix.url },
  }
}

async function whenOnline(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  action: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.monotonic() + ONLINE_TIMEOUT_MS
  for (;;) {
    try {
      return void (await action())
    } catch (error) {
      const offline = error instanceof ApiError && error.status === DEVICE_OFFLINE
      if (!offline || clock.monotonic() > giveUpAt) throw error
      await sleep(clock, RETRY_MS, signal)
      signal.throwIfAborted()
    }
  }
}

export function endpointOf({ protocol, settings }: Pick<Connection, 'protocol' | 'settings'>): string {
  return protocol === 'modbus-tcp' ? `${settings.host}:${settings.port}` : String(settings.url)
}
