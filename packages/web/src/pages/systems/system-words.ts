import type { PeakShaving, TechnicalSystem } from '@plantroom/contract/datapoint'
import { systems } from '../../texts/systems.ts'

/** What drives the datapoints of a system by itself, a line each. */
export function controlWords(system: TechnicalSystem): string[] {
  const names = new Map(
    system.connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name] as const)),
  )
  const nameOf = (id: string) => names.get(id) ?? systems.unknownPoint
  return [
    ...(system.peakShaving ? [peakWords(system.peakShaving, nameOf)] : []),
    ...(system.schedules ?? []).map(({ name, datapointId, slots }) =>
      systems.schedule(name, nameOf(datapointId), slots.length),
    ),
  ]
}

function peakWords({ meterId, limitKw, loads }: PeakShaving, nameOf: (id: string) => string): string {
  const inOrder = loads.toSorted((a, b) => a.priority - b.priority).map(({ datapointId }) => nameOf(datapointId))
  return systems.peak(nameOf(meterId), limitWords(limitKw), inOrder.join(', ') || systems.noLoads)
}

function limitWords(limitKw: PeakShaving['limitKw']): string {
  if (limitKw === null) return systems.noLimit
  return typeof limitKw === 'number'
    ? systems.limit(limitKw)
    : systems.hourly(Math.min(...limitKw), Math.max(...limitKw))
}

/** The name under which a file is kept: of the system, in characters that every file system takes. */
export function fileNameOf(system: string): string {
  const plain = system
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return `${plain || 'technical-system'}.json`
}

/** What an edge is started with, in the order in which it is written. */
export function edgeSettings(
  device: { id: string; secret: string },
  page: { protocol: string; hostname: string },
): [name: string, value: string][] {
  const scheme = page.protocol === 'https:' ? 'mqtts' : 'mqtt'
  return [
    ['MQTT_URL', `${scheme}://${page.hostname}:1883`],
    ['PLANTROOM_DEVICE_ID', device.id],
    ['PLANTROOM_DEVICE_SECRET', device.secret],
  ]
}
