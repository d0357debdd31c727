import { CommissioningFile, type FileProblem } from '@plantroom/contract/commissioning'
import { describeSchemaError } from '@plantroom/contract/describe-error'
import { Ajv } from 'ajv'

const hasShape = new Ajv({ allErrors: true }).compile<CommissioningFile>(CommissioningFile)

/** Validates the shape of a commissioning file; returns every problem, worded as the service words it. */
export function judgeShape(document: object): { file: CommissioningFile } | { problems: FileProblem[] } {
  if (hasShape(document)) return { file: document }
  const descriptions = (hasShape.errors ?? []).map((error) => describeSchemaError(error))
  return { problems: descriptions.map(({ path, rule }) => ({ path, message: rule })) }
}
