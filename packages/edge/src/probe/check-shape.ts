import { type CommissioningFile, commissioningSchema, type FileProblem } from '@plantroom/contract/commissioning'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import { Ajv, type ErrorObject } from 'ajv'

const hasShape = new Ajv({ allErrors: true }).compile<CommissioningFile>(commissioningSchema)

/** Validates the shape of a commissioning file. Returns every problem, in the wording of the cloud. */
export function checkShape(document: object): { file: CommissioningFile } | { problems: FileProblem[] } {
  if (hasShape(document)) return { file: document }
  return { problems: (hasShape.errors ?? []).map((error) => ({ path: pathOf(error), message: ruleOf(error) })) }
}

function pathOf({ instancePath, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>
  const named = missingProperty ?? additionalProperty
  if (named !== undefined) parts.push(named)
  const path = parts.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    '',
  )
  return shown(path)
}

function ruleOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return params.type === 'number' ? 'must be a finite number' : `must be of type ${params.type}`
    case 'enum':
      return `must be one of: ${params.allowedValues.join(', ')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minLength':
      return `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minItems':
      return `must have at least ${params.limit} items`
    case 'pattern':
      return params.pattern === NOT_BLANK ? 'must not be blank' : `must match ${params.pattern}`
    default:
      return message ?? 'is not valid'
  }
}
