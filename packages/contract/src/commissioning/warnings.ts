import { failsafeOf } from './failsafes.ts'
import type { CommissioningFile, FileProblem } from './file.ts'

const NO_RELEASE_VALUE =
  'WRITE datapoint without releaseValue: when an override ends, the controller writes back what it can read from the address, or else leaves the last setpoint'

/** Returns what is valid in a commissioning file but worth a second look, in file order. */
export function fileWarnings(file: CommissioningFile): FileProblem[] {
  return file.connections.flatMap(({ datapoints }, c) => {
    // The controller never holds a failsafe register, so it never releases one.
    const registers = new Set(datapoints.map(({ failsafe }) => failsafe && failsafeOf(failsafe)?.register))
    return datapoints.flatMap(({ name, accessType, releaseValue }, d) =>
      accessType === 'WRITE' && releaseValue === undefined && !registers.has(name)
        ? [{ path: `connections[${c}].datapoints[${d}]`, message: NO_RELEASE_VALUE }]
        : [],
    )
  })
}
