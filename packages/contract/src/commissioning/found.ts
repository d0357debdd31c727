import type { FoundConnection, FoundDatapoint } from '../discovery.ts'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'

/** Returns what a scan found as a commissioning file, for a person to edit. */
export function fileOfFound(technicalSystem: string, connections: readonly FoundConnection[]): CommissioningFile {
  return {
    technicalSystem,
    connections: connections.map(({ name, protocol, settings, datapoints }) => {
      return { name, protocol, settings, datapoints: datapoints.map(commissioned) }
    }),
  }
}

function commissioned({ name, accessType, unit, writeInputData, scaler, data }: FoundDatapoint): CommissionedDatapoint {
  return {
    name,
    accessType,
    ...(unit !== undefined && { unit }),
    ...(accessType === 'READ_WRITE' && {
      writeInputType: 'number' as const,
      ...(writeInputData && { writeInputData }),
    }),
    ...(scaler && { scaler }),
    data,
  }
}
