import { EMAIL, NOT_BLANK, UUID } from './patterns.ts'
import { shown } from './shown.ts'

/** The fields of an Ajv error that its description uses. */
export interface SchemaError {
  readonly keyword: string
  /** A JSON pointer to the invalid value. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}

export interface SchemaErrorDescription {
  /** The invalid field: `connections[0].name`. Empty for the document itself. */
  readonly path: string
  /** The rule that the field breaks, worded to follow its path: `must be at most 5`. */
  readonly rule: string
}

/** The rule that each regular expression stands for. */
export type PatternRules = Readonly<Record<string, string>>

const PATTERN_RULES: PatternRules = {
  [NOT_BLANK]: 'must not be blank',
  [UUID]: 'must be a UUID',
  [EMAIL]: 'must be an email address',
}

/** Describes a validation error, the same way in the cloud, on the controller and in the CLI. */
export function describeSchemaError(error: SchemaError, patternRules: PatternRules = {}): SchemaErrorDescription {
  return { path: pathOf(error), rule: ruleOf(error, patternRules) }
}

function pathOf({ instancePath, params }: SchemaError): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  // A missing or unknown field is the subject of the message; Ajv points at the object that should or does have it.
  const field = params.missingProperty ?? params.additionalProperty
  if (typeof field === 'string') parts.push(field)
  const path = parts.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    '',
  )
  return shown(path)
}

function ruleOf({ keyword, params, message }: SchemaError, patternRules: PatternRules): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return params.type === 'number' ? 'must be a finite number' : `must be of type ${list(params.type, ' or ')}`
    case 'enum':
      return `must be one of: ${list(params.allowedValues, ', ')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minLength':
      return `must have at least ${count(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${count(params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${count(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${count(params.limit, 'item')}`
    case 'uniqueItems':
      return 'must not have an item twice'
    case 'format':
      return 'must be a time with a zone, such as 2026-01-31T12:00:00Z'
    case 'pattern': {
      const pattern = String(params.pattern)
      return patternRules[pattern] ?? PATTERN_RULES[pattern] ?? `must match ${pattern}`
    }
    default:
      return message ?? 'is not valid'
  }
}

function list(values: unknown, separator: string): string {
  return [values].flat().map(String).join(separator)
}

function count(limit: unknown, unit: string): string {
  return `${limit} ${unit}${limit === 1 ? '' : 's'}`
}
