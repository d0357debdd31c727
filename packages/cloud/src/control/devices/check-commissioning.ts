import { sha256 } from '@plantroom/base/sha256'
import {
  allFileProblems,
  type CommissioningFile,
  type DeviceCheck,
  type FileProblem,
  isCommissioningFile,
} from '@plantroom/contract/commissioning'
import type { Consumption, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { Ask } from './ask.ts'
import { buildTechnicalSystem } from './technical-system.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'
import { type WellFormedPart, wellFormedPart } from './well-formed-part.ts'
import type { SharedAddress, WrittenAddressStore } from './written-address-store.ts'

export const WHEN_TOO_LARGE = 'split the file into several technical systems, or shorten names and data'

/** Stands for a commissioned system, or for none, in `base`: it differs whenever anything of it does. */
export function baseOf(system: TechnicalSystem | undefined): string {
  return system ? sha256(JSON.stringify(system)).slice(0, 32) : 'none'
}

/**
 * A controller gets no units, kinds and tags: an earlier version would show them in its export. It gets what it needs of
 * them as `consumption`, which an earlier version ignores.
 */
export function withoutLabels(system: TechnicalSystem): TechnicalSystem {
  const connections = system.connections.map((connection) => ({
    ...connection,
    datapoints: connection.datapoints.map(({ unit: _unit, kind: _kind, tags: _tags, ...datapoint }) => datapoint),
  }))
  const consumption = consumptionOf(system)
  return { ...system, connections, ...(consumption.length > 0 && { consumption }) }
}

/** What 1 of a unit is in kW. */
const POWER = new Map([
  ['W', 0.001],
  ['kW', 1],
  ['MW', 1000],
])
/** What 1 of a unit is in kWh. */
const ENERGY = new Map([
  ['Wh', 0.001],
  ['kWh', 1],
  ['MWh', 1000],
])

/** Lists how consumption is computed. A datapoint without a unit counts in kW or kWh when its kind says which. */
function consumptionOf({ connections }: TechnicalSystem): Consumption[] {
  return connections.flatMap(({ datapoints }) =>
    datapoints.flatMap(({ id: datapointId, analyticsCalculateConsumption, unit, kind }): Consumption[] => {
      if (!analyticsCalculateConsumption) return []
      const power = POWER.get(unit ?? (kind === 'power' ? 'kW' : ''))
      if (power !== undefined) return [{ datapointId, from: 'power', factor: power }]
      const energy = ENERGY.get(unit ?? (kind === 'energy' ? 'kWh' : ''))
      return energy === undefined ? [] : [{ datapointId, from: 'counter', factor: energy }]
    }),
  )
}

interface CheckedFile extends Omit<DeviceCheck, 'targets'> {
  device: { checked: boolean; reason: string | null }
}

interface Checking {
  ask: Ask
  keyId: string
  addresses: Pick<WrittenAddressStore, 'shared'>
  systems: Pick<TechnicalSystemStore, 'otherWithPowerLimit'>
}

/**
 * Checks a document as loading it would: by the rules of the service, then on the device, which knows its drivers and
 * what is held. A device that cannot be asked, or is too old for the question, is no mistake of the file.
 */
export async function checkDocument(
  document: Record<string, unknown>,
  on: Parameters<typeof buildTechnicalSystem>[1] & Checking,
): Promise<CheckedFile> {
  const { ask, keyId, addresses, systems, ...place } = on
  const problems = allFileProblems(document)
  problems.push(...(await secondPowerLimit(document, { deviceId: place.deviceId, systems })))
  const notAsked = { problems, held: [], device: { checked: false, reason: 'the file has mistakes' } }
  const part = problems.length === 0 && isCommissioningFile(document) ? whole(document) : wellFormedPart(document)
  if (!part) return notAsked
  const system = buildTechnicalSystem(part.file, place)
  const sameEquipment = document.sameEquipment === true
  try {
    const reply = await askDevice(system, { sameEquipment, ...on })
    const shared = sharedProblems(await addresses.shared(place.deviceId, reply.targets ?? []), system)
    return {
      problems: merged(problems, inDocument([...reply.problems, ...shared], part)),
      held: part.isPartial ? [] : [...reply.held],
      device: { checked: true, reason: null },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // A command is `invalid` only when it is too large for a device.
    if (error.kind === 'invalid')
      return { ...notAsked, problems: [...problems, { path: '', message: `${error.message}: ${WHEN_TOO_LARGE}` }] }
    return { ...notAsked, device: { checked: false, reason: error.message } }
  }
}

/** Asks a device what it would say to a system. Rejects with a `Failure` when there is no answer. */
export async function askDevice(
  system: TechnicalSystem,
  {
    deviceId,
    ask,
    keyId,
    sameEquipment,
  }: { deviceId: string; sameEquipment?: boolean } & Pick<Checking, 'ask' | 'keyId'>,
): Promise<DeviceCheck> {
  const data = { technicalSystem: withoutLabels(system), ...(sameEquipment && { sameEquipment }) }
  return ask(deviceId, 'checkCommissioning', data, { keyId })
}

/** Says when another system of the controller has a power limit: a controller keeps the limits of one connection point. */
export async function secondPowerLimit(
  { technicalSystem, powerLimit }: Record<string, unknown>,
  { deviceId, systems }: { deviceId: string } & Pick<Checking, 'systems'>,
): Promise<FileProblem[]> {
  if (typeof technicalSystem !== 'string' || powerLimit === undefined) return []
  const other = await systems.otherWithPowerLimit(deviceId, technicalSystem)
  if (other === undefined) return []
  const message = `technical system "${shown(other)}" of this controller already has one, and a controller keeps the limits of one connection point: remove powerLimit there first, or here`
  return [{ path: 'powerLimit', message }]
}

/** Says which datapoints write what another controller writes: both would restore over each other. */
export function sharedProblems(shared: readonly SharedAddress[], { connections }: TechnicalSystem): FileProblem[] {
  return shared.map(({ at: [c = 0, d = 0], device, connection, datapoint }) => ({
    path: `connections[${c}].datapoints[${d}].data`,
    message: `${connections[c]?.name}/${connections[c]?.datapoints[d]?.name} writes the same address as ${connection}/${datapoint} of controller ${device}; two controllers must not write the same address`,
  }))
}

const whole = (file: CommissioningFile): WellFormedPart => ({ file, isPartial: false, inDocument: (text) => text })

const inDocument = (problems: readonly FileProblem[], part: WellFormedPart) =>
  problems.map(({ path, message }) => ({ path: part.inDocument(path), message: part.inDocument(message) }))

function merged(own: readonly FileProblem[], ofDevice: readonly FileProblem[]): FileProblem[] {
  const known = new Set(own.map(({ path, message }) => `${path} ${message}`))
  return [...own, ...ofDevice.filter(({ path, message }) => !known.has(`${path} ${message}`))]
}
