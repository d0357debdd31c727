import {
  type Envelope,
  isBounded,
  type Limits,
  type PeakShaving,
  type TechnicalSystem,
} from '@plantroom/contract/datapoint'
import { rankBy, ranked } from '../rank-words.ts'

/** The most datapoints on one chart: more lines cannot be told apart. */
export const MAX_SOURCES = 8

/** A datapoint as a chart needs it. */
export interface ChartSource {
  deviceId: string
  datapointId: string
  /** `undefined` for a datapoint that is no longer commissioned. Its archive stays. */
  name: string | undefined
  connection: string | undefined
  controller: string | undefined
  unit: string | undefined
  /** Seconds between archived values; 0 when it is not archived, `undefined` when that is unknown. */
  interval: number | undefined
  /** True for setpoints, which keep a value until the next one; measurements are interpolated. */
  isSetpoint: boolean
  envelope?: Envelope | undefined
  limits?: Limits | undefined
  /** The peak limit of a meter, with the time zone of its hours. */
  peak?: { limitKw: NonNullable<PeakShaving['limitKw']>; timeZone: string } | undefined
  /** Of a meter that power limits are about: how many kW one of its units is. */
  limitedKwPerUnit?: number | undefined
  /** The power limits of a meter, a line for each direction, as far as they are loaded. */
  ceilings?: readonly (readonly LimitStep[])[] | undefined
}

/** A limit over some time. */
export interface LimitStep {
  from: number
  to: number
  value: number
}

/** Identifies a datapoint of a site, in the address too. */
export const sourceKey = ({ deviceId, datapointId }: Pick<ChartSource, 'deviceId' | 'datapointId'>) =>
  `${deviceId}/${datapointId}`

/** Lists the datapoints of controllers; `systems` may not be loaded yet. */
export function sourcesOf(
  devices: readonly { id: string; name: string; systems: readonly TechnicalSystem[] | undefined }[],
): ChartSource[] {
  return devices.flatMap(({ id: deviceId, name: controller, systems }) =>
    (systems ?? []).flatMap(({ connections, peakShaving, powerLimit, timeZone = 'UTC' }) =>
      connections.flatMap((connection) =>
        connection.datapoints.map((datapoint) => ({
          deviceId,
          datapointId: datapoint.id,
          name: datapoint.name,
          connection: connection.name,
          controller,
          unit: datapoint.unit,
          interval: datapoint.analyticsInterval,
          isSetpoint: datapoint.accessType !== 'READ',
          envelope: isBounded(datapoint.writeInputData) ? datapoint.writeInputData : undefined,
          limits: datapoint.limits,
          peak:
            peakShaving?.meterId === datapoint.id && peakShaving.limitKw !== null
              ? { limitKw: peakShaving.limitKw, timeZone }
              : undefined,
          limitedKwPerUnit: powerLimit?.meterId === datapoint.id ? powerLimit.meterKwPerUnit : undefined,
        })),
      ),
    ),
  )
}

/** Stands for a datapoint that is not commissioned now. */
export const unknownSource = (deviceId: string, datapointId: string): ChartSource => ({
  deviceId,
  datapointId,
  name: undefined,
  connection: undefined,
  controller: undefined,
  unit: undefined,
  interval: undefined,
  isSetpoint: false,
})

/** Returns the datapoints of an address, in its order, each once and at most as many as fit. */
export function shownSources(search: URLSearchParams, sources: readonly ChartSource[]): ChartSource[] {
  const known = new Map(sources.map((source) => [sourceKey(source), source]))
  const keys = new Set(search.getAll('show').filter((key) => /^[^/]+\/[^/]+$/.test(key)))
  return [...keys].slice(0, MAX_SOURCES).map((key) => {
    const [deviceId = '', datapointId = ''] = key.split('/')
    return known.get(key) ?? unknownSource(deviceId, datapointId)
  })
}

/** Returns the same address with other datapoints. */
export function withSources(search: URLSearchParams, keys: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search)
  next.delete('show')
  for (const key of keys.slice(0, MAX_SOURCES)) next.append('show', key)
  return next
}

/** Finds datapoints by words of their name, connection, controller and unit, the best first. */
export function findSources(sources: readonly ChartSource[], text: string): ChartSource[] {
  const rank = rankBy(text)
  return ranked(sources, ({ name = '', connection, controller, unit = '' }) =>
    rank(name, `${connection} ${controller} ${unit}`),
  )
}

/** Returns the search of a chart page that shows datapoints, with more parameters. */
export function chartSearch(
  sources: readonly Pick<ChartSource, 'deviceId' | 'datapointId'>[],
  more: Readonly<Record<string, string>> = {},
): string {
  return String(withSources(new URLSearchParams(more), sources.map(sourceKey)))
}
