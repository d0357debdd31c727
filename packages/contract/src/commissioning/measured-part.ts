import { FLOW_TAGS, type FlowPart, SITE_POWER_TAG } from '../main-measurements.ts'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import { datapointsByReference } from './names.ts'

/** Returns which power of a site a datapoint measures, by its tags and by the meters that the file names. */
export function measuredPart(file: CommissioningFile, datapoint: CommissionedDatapoint): FlowPart | undefined {
  const { tags = [] } = datapoint
  if (tags.includes(SITE_POWER_TAG)) return 'grid'
  const tagged = Object.entries(FLOW_TAGS).find(([, tag]) => tags.includes(tag))
  if (tagged) return tagged[0] as FlowPart
  const meters = [file.powerLimit?.meter, file.peakShaving?.meter].filter((meter) => meter !== undefined)
  if (meters.length === 0) return undefined
  const find = datapointsByReference(file)
  return meters.some((meter) => find(meter).some((placed) => placed.datapoint === datapoint)) ? 'grid' : undefined
}
