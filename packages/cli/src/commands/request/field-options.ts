import { type ColumnFieldName, choicesOf, columnField } from '@plantroom/contract/request-fields'
import { oneOf } from '../../arguments.ts'
import { valued } from '../../command.ts'

const VALUES: Readonly<Record<string, string>> = {
  smallint: 'N',
  integer: 'N',
  'double precision': 'N',
  timestamptz: 'TIME',
  boolean: 'yes|no',
}

/** Returns the name of the option of a field: `safety-hazard`. */
export const optionName = (name: ColumnFieldName) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Declares the option of a field. */
export function fieldOption(name: ColumnFieldName) {
  const { type, about = '' } = columnField(name)
  const choices = type === 'boolean' ? ['yes', 'no'] : choicesOf(name)?.filter((choice) => typeof choice === 'string')
  return valued(VALUES[type] ?? (choices ? optionName(name).toUpperCase() : 'TEXT'), about, choices && { choices })
}

/** Returns the value that an option sets; an empty text means no value. The service checks the rest. */
export function fieldValue(name: ColumnFieldName, option: string, text: string): unknown {
  const { isNullable, type } = columnField(name)
  if (text === '' && isNullable) return null
  if (type === 'boolean') return oneOf(['yes', 'no'], text, `--${option}`) === 'yes'
  const choices = choicesOf(name)
  return choices ? oneOf(choices, text, `--${option}`) : text
}
