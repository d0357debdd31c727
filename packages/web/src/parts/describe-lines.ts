import { ASK_FOR_KEY, type CurlTarget, DEVICE_LINES, deviceLines } from '@plantroom/client/curl'
import { type Datapoint, overridableIn, type TechnicalSystem } from '@plantroom/contract/datapoint'
import { apiLines as texts } from '../texts/api-lines.ts'
import { format } from '../texts/format.ts'
import { shownValue } from './value.ts'

/** What the commands for a controller are about. */
export interface LinesAbout {
  orgId: string
  deviceId: string
  connectionId: string
  /** The one to override; `undefined` where it cannot be. */
  datapoint: Datapoint | undefined
  overrideId?: string | undefined
  /** The present value of the datapoint, where it is known. */
  present?: number | null | undefined
}

/** The setpoint of the example, which should change little: the present value, that of the release, or nearly zero. */
export function exampleValue({ releaseValue, writeInputData }: Datapoint, present?: number | null): number {
  const { min, max } = writeInputData ?? { min: 0, max: 0 }
  return present ?? releaseValue ?? Math.min(Math.max(0, min), max)
}

/** Returns the commands for a controller with what each does. Without a key, the first one asks for it. */
export function describeLines(about: LinesAbout, target: CurlTarget): { what: string; line: string }[] {
  const { datapoint, present, ...ids } = about
  const value = datapoint ? exampleValue(datapoint, present) : 0
  const lines = deviceLines({ ...ids, datapointId: datapoint?.id, value }, target)
  const shown = DEVICE_LINES.flatMap((name) => {
    const line = lines[name]
    return line === undefined ? [] : [{ what: format(texts.lines[name], { value: shownValue(value) }), line }]
  })
  return target.apiKey === undefined ? [{ what: texts.askForKey, line: ASK_FOR_KEY }, ...shown] : shown
}

/** The connection that examples use, with its datapoint to override: the first that can be, or none. */
export function exampleOf(systems: readonly TechnicalSystem[]) {
  const isOverridable = overridableIn(systems)
  const all = systems.flatMap(({ connections }) => connections)
  const connection = all.find(({ datapoints }) => datapoints.some(isOverridable)) ?? all[0]
  return connection && { connection, datapoint: connection.datapoints.find(isOverridable) }
}
