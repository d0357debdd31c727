import { CommissioningFile, type FileProblem } from '@plantroom/contract/commissioning'
import { describeSchemaError } from '@plantroom/contract/describe-error'
import { Ajv } from 'ajv'

const hasShape = new Ajv({ allErrors: true }).compile<CommissioningFile>(CommissioningFile)

/** Validates the shape of a commissioning file. Returns every problem, in the wording of the cloud. */
export function checkShape(document: object): { file: CommissioningFile } | { problems: FileProblem[] } {
  if (hasShape(document)) return { file: document }
  const descriptions = (hasShape.errors ?? []).map((error) => describeSchemaError(error))
  return { problems: descriptions.map(({ path, rule }) => ({ path, message: rule })) }
}
