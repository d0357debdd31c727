import type { Alert } from '@plantroom/contract/alerts'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { mainMeasurements, sitePower } from '@plantroom/contract/main-measurements'
import type { Period } from '../../parts/chart/period.ts'
import { type ChartSource, sourcesOf } from '../../parts/chart/sources.ts'

const HOUR_MS = 3_600_000
/** How much to show before an alert began and after it. */
const [BEFORE_MS, AFTER_MS] = [3 * HOUR_MS, 6 * HOUR_MS]
/** More lines than this cannot be read on a picture. */
const MOST = 4

/** Which history belongs to an alert. */
export interface Evidence {
  period: Period
  /** What to draw; empty when nothing is archived. */
  sources: readonly ChartSource[]
  /** Which audit entries to attach. */
  audit: { deviceId: string; datapointId?: string }
}

/** Chooses the history of an alert; `undefined` for one that is not about a controller. Pure. */
export function evidenceOf(
  { deviceId, deviceName, subject, beganAt }: Pick<Alert, 'deviceId' | 'deviceName' | 'subject' | 'beganAt'>,
  systems: readonly TechnicalSystem[],
  now: number,
): Evidence | undefined {
  if (deviceId === null) return undefined
  const began = Date.parse(beganAt)
  const archived = sourcesOf([{ id: deviceId, name: deviceName ?? '', systems }]).filter(
    ({ interval }) => interval !== 0,
  )
  return {
    period: { from: began - BEFORE_MS, to: Math.min(now, began + AFTER_MS) },
    sources: archived.filter(isAbout(subject, systems)).slice(0, MOST),
    audit: { deviceId, ...(subject.kind === 'datapoint' && { datapointId: subject.id }) },
  }
}

/** The datapoint itself, those of the lost connection, or what people look at first of a controller. */
function isAbout({ kind, id }: Alert['subject'], systems: readonly TechnicalSystem[]) {
  if (kind === 'datapoint') return ({ datapointId }: ChartSource) => datapointId === id
  const connection = systems.flatMap(({ connections }) => connections).find((each) => each.id === id)
  const main = [...sitePower(systems), ...mainMeasurements(systems)]
  const ids = new Set((connection?.datapoints ?? main).map((datapoint) => datapoint.id))
  return ({ datapointId }: ChartSource) => ids.size === 0 || ids.has(datapointId)
}
