import type { ProblemList } from '../problems.ts'
import { isObject, type JsonObject } from './values.ts'

/** Reads the fields of an object, and notes each that has another form than the system writes. */
export interface Fields {
  readonly object: JsonObject
  /** A text, number or truth value as text. Undefined for null, and for nothing but spaces. */
  text(name: string): string | undefined
  /** A text that must be there. */
  needed(name: string): string
  /** The fields of an object. Undefined for null. */
  inner(name: string): Fields | undefined
  /** The fields of each object of a list. Empty for null. */
  list(name: string): readonly Fields[]
  note(name: string | undefined, message: string): void
}

export function fieldsOf(object: JsonObject, place: string, problems: ProblemList, prefix = ''): Fields {
  const note = (name: string | undefined, message: string) =>
    problems.add({ place, column: name === undefined ? undefined : `${prefix}${name}`, message })
  const text = (name: string) => {
    const value = object[name] ?? ''
    if (typeof value === 'object') {
      note(name, `is ${formOf(value)}, but must be text; export it again`)
      return undefined
    }
    return String(value).trim() === '' ? undefined : String(value)
  }
  return {
    object,
    text,
    note,
    needed(name) {
      const value = text(name)
      if (value === undefined && !isFormWrong(object[name])) note(name, 'is missing; export it again')
      return value ?? ''
    },
    inner(name) {
      const value = object[name] ?? undefined
      if (value === undefined) return undefined
      if (isObject(value)) return fieldsOf(value, place, problems, `${prefix}${name}.`)
      note(name, `is ${formOf(value)}, but must be an object; export it again`)
      return undefined
    },
    list(name) {
      const value = object[name] ?? []
      if (Array.isArray(value) && value.every(isObject)) {
        return value.map((item, index) => fieldsOf(item, place, problems, `${prefix}${name}[${index}].`))
      }
      note(name, `is ${formOf(value)}, but must be a list of objects; export it again`)
      return []
    },
  }
}

function isFormWrong(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return value.every(isObject) ? 'a list' : 'a list of other values'
  return isObject(value) ? 'an object' : `a ${typeof value}`
}
