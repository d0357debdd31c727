import type { CommissioningFile, FileProblem } from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import type { Protocol as ProtocolName } from '@plantroom/contract/datapoint'
import type { Protocol } from '@plantroom/drivers/driver'
import { sharedTargets } from '../connections/check-targets.ts'
import { layOut } from './lay-out.ts'
import { judgeShape } from './shape.ts'

export type Protocols = Readonly<Record<ProtocolName, Protocol>>

/**
 * Judges a file as the service and the device would, all at once. Where the shape is wrong that is all there is to say:
 * the other rules need it.
 */
export function checkFile(
  document: object,
  protocols: Protocols,
): { file: CommissioningFile } | { problems: FileProblem[] } {
  const judged = judgeShape(document)
  if ('problems' in judged) return judged
  const { file } = judged
  const ofDrivers = file.connections.flatMap((connection, index) =>
    protocols[connection.protocol]
      .check(connection)
      .map(({ path, message }) => ({ path: `connections[${index}].${path}`, message })),
  )
  const problems = [...fileProblems(file), ...ofDrivers]
  if (problems.length === 0) {
    const system = { id: '', name: file.technicalSystem, connections: layOut(file) }
    problems.push(...sharedTargets(system, [], ({ protocol }) => protocols[protocol]))
  }
  return problems.length > 0 ? { problems } : { file }
}
