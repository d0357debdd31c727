import { type CommissioningFile, isCommissioningFile } from '@plantroom/contract/commissioning'

/** The well-formed connections and datapoints of a document, and how paths in them read in the document. */
export interface WellFormedPart {
  file: CommissioningFile
  /** Something was left out, so the part says nothing about what the document would remove. */
  isPartial: boolean
  /** Translates the paths in a text, also those in the middle of a message. */
  inDocument(text: string): string
}

/**
 * Takes from a document what a device can judge although other parts of it are malformed: a device checks each connection
 * and each datapoint by itself. Leaves out schedules, peak shaving, power limits and failsafes, which refer to datapoints by name. Returns
 * `undefined` when the document does not say which system it is, or has nothing to judge.
 */
export function wellFormedPart({ technicalSystem, connections }: Record<string, unknown>): WellFormedPart | undefined {
  if (!Array.isArray(connections)) return undefined
  const kept = connections.flatMap((connection: unknown, index) => {
    if (typeof connection !== 'object' || connection === null) return []
    const { datapoints } = connection as { datapoints?: unknown }
    const alone = { ...connection, datapoints: [] }
    if (!Array.isArray(datapoints) || !isShaped(technicalSystem, alone)) return []
    const points = datapoints.flatMap((datapoint: unknown, at) =>
      isShaped(technicalSystem, { ...alone, datapoints: [datapoint] }) ? [{ datapoint, at }] : [],
    )
    return [{ connection: { ...alone, datapoints: points.map(({ datapoint }) => datapoint) }, index, points }]
  })
  const file = { technicalSystem, connections: kept.map(({ connection }) => connection) }
  if (kept.length === 0 || !isCommissioningFile(file)) return undefined
  const isPartial =
    kept.length < connections.length ||
    kept.some(
      ({ points, index }) => points.length < (connections[index] as { datapoints: unknown[] }).datapoints.length,
    )
  return {
    file,
    isPartial,
    inDocument: (text) =>
      text.replaceAll(/connections\[(\d+)\](?:\.datapoints\[(\d+)\])?/g, (path, c: string, d: string | undefined) => {
        const found = kept[Number(c)]
        if (!found) return path
        if (d === undefined) return `connections[${found.index}]`
        return `connections[${found.index}].datapoints[${found.points[Number(d)]?.at ?? d}]`
      }),
  }
}

const isShaped = (technicalSystem: unknown, connection: unknown) =>
  isCommissioningFile({ technicalSystem, connections: [connection] })
