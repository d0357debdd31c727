import { CommissioningFile, type FileProblem, fileProblems } from '@plantroom/contract/commissioning'
import { describeSchemaError } from '@plantroom/contract/describe-error'
import type { Protocol as ProtocolName } from '@plantroom/contract/protocols'
import type { Protocol } from '@plantroom/drivers/driver'
import { Ajv } from 'ajv'
import { sharedTargets } from '../connections/check-targets.ts'
import { toConnections } from './to-connection.ts'

export type Protocols = Readonly<Record<ProtocolName, Protocol>>

/**
 * Checks a file with the rules of the cloud and of the device, and returns all problems. Returns only the problems of
 * the shape where that is wrong, because the other rules rely on it.
 */
export function checkFile(
  document: object,
  protocols: Protocols,
): { file: CommissioningFile } | { problems: FileProblem[] } {
  const checked = checkShape(document)
  if ('problems' in checked) return checked
  const { file } = checked
  const driverProblems = file.connections.flatMap((connection, index) =>
    protocols[connection.protocol]
      .check(connection)
      .map(({ path, message }) => ({ path: `connections[${index}].${path}`, message })),
  )
  const problems = [...fileProblems(file), ...driverProblems]
  if (problems.length === 0) {
    const system = { id: '', name: file.technicalSystem, connections: toConnections(file) }
    problems.push(...sharedTargets(system, [], ({ protocol }) => protocols[protocol]))
  }
  return problems.length > 0 ? { problems } : { file }
}

const hasShape = new Ajv({ allErrors: true }).compile<CommissioningFile>(CommissioningFile)

/** Validates the shape of a commissioning file. Returns every problem, in the wording of the cloud. */
function checkShape(document: object): { file: CommissioningFile } | { problems: FileProblem[] } {
  if (hasShape(document)) return { file: document }
  const descriptions = (hasShape.errors ?? []).map((error) => describeSchemaError(error))
  return { problems: descriptions.map(({ path, rule }) => ({ path, message: rule })) }
}
