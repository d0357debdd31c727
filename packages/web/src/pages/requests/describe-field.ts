import type { RequestFieldName } from '@plantroom/contract/request-fields'
import { findText } from '../../texts/format.ts'
import { fieldValues } from '../../texts/request-fields.ts'
import { priorities, states } from '../../texts/requests.ts'
import { languageName } from './describe-request.ts'

const NAMES = { ...fieldValues, state: states, priority: priorities }

/** Returns the value of a field as people read it. One without a name, from a newer service, stays as it is. */
export function valueText(field: RequestFieldName, value: string): string {
  if (field === 'language') return languageName(value)
  return (field in NAMES && findText(NAMES[field as keyof typeof NAMES], value)) || value
}
