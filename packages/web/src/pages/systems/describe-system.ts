import type { PeakShaving, PowerLimitSettings, TechnicalSystem } from '@plantroom/contract/datapoint'
import { listed, shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'

/** Describes the schedules, the peak shaving and the power limit of a system, a line each. */
export function describeControl(system: TechnicalSystem): string[] {
  const names = new Map(
    system.connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name] as const)),
  )
  const nameOf = (id: string) => names.get(id) ?? systems.unknownPoint
  return [
    ...(system.peakShaving ? [describePeakShaving(system.peakShaving, nameOf)] : []),
    ...(system.powerLimit ? [describePowerLimit(system.powerLimit, nameOf)] : []),
    ...(system.schedules ?? []).map(({ name, datapointId, slots }) =>
      format(systems.schedule, { name, datapoint: nameOf(datapointId), count: slots.length }),
    ),
  ]
}

const byPriority = <Load extends { priority: number }>(loads: readonly Load[]) =>
  loads.toSorted((a, b) => a.priority - b.priority)

function describePowerLimit({ meterId, loads, inputs = [] }: PowerLimitSettings, nameOf: (id: string) => string) {
  const all = {
    meter: nameOf(meterId),
    loads: listed(loadsInOrder(loads).map(({ datapointId }) => nameOf(datapointId))),
  }
  if (inputs.length === 0) return format(systems.powerLimit, all)
  return format(systems.powerLimitByContacts, {
    ...all,
    inputs: listed(inputs.map((each) => nameOf(each.datapointId))),
  })
}

/** The loads of a power limit in the order in which they are moved: those that can be set to any power first. */
export const loadsInOrder = (loads: PowerLimitSettings['loads']) => [
  ...byPriority(loads.filter(({ kind }) => kind === 'modulating')),
  ...byPriority(loads.filter(({ kind }) => kind === 'switching')),
]

function describePeakShaving({ meterId, limitKw, loads }: PeakShaving, nameOf: (id: string) => string): string {
  const meter = nameOf(meterId)
  const inOrder = byPriority(loads).map(({ datapointId }) => nameOf(datapointId))
  const texts = inOrder.length > 0 ? systems.peak : systems.peakWithoutLoads
  const values = { meter, loads: listed(inOrder) }
  if (limitKw === null) return format(texts.none, values)
  if (typeof limitKw === 'number') return format(texts.fixed, { ...values, limit: shownValue(limitKw) })
  const [least, most] = [Math.min(...limitKw), Math.max(...limitKw)]
  return format(texts.hourly, { ...values, least: shownValue(least), most: shownValue(most) })
}

/** A new controller, and the broker that it connects to. */
interface NewDevice {
  id: string
  secret: string
  brokerUrl: string
}

/** Returns the settings that a controller starts with, as environment variables. */
export function edgeSettings(device: NewDevice): [name: string, value: string][] {
  return [
    ['MQTT_URL', device.brokerUrl],
    ['PLANTROOM_DEVICE_ID', device.id],
    ['PLANTROOM_DEVICE_SECRET', device.secret],
  ]
}

/** Returns the command that starts a controller. */
export function edgeCommand(device: NewDevice): string {
  return [...edgeSettings(device).map(([name, value]) => `${name}='${value}'`), 'plantroom edge'].join(' ')
}
