import type { PeakShaving, TechnicalSystem } from '@plantroom/contract/datapoint'
import { listed, shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'

/** Describes the schedules and the peak shaving of a system, a line each. */
export function describeControl(system: TechnicalSystem): string[] {
  const names = new Map(
    system.connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name] as const)),
  )
  const nameOf = (id: string) => names.get(id) ?? systems.unknownPoint
  return [
    ...(system.peakShaving ? [describePeakShaving(system.peakShaving, nameOf)] : []),
    ...(system.schedules ?? []).map(({ name, datapointId, slots }) =>
      format(systems.schedule, { name, datapoint: nameOf(datapointId), count: slots.length }),
    ),
  ]
}

function describePeakShaving({ meterId, limitKw, loads }: PeakShaving, nameOf: (id: string) => string): string {
  const meter = nameOf(meterId)
  const inOrder = loads.toSorted((a, b) => a.priority - b.priority).map(({ datapointId }) => nameOf(datapointId))
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
