import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestName } from './closest-name.ts'

/**
 * Returns what is wrong with the options of a command line, and which option was perhaps meant; `undefined` if nothing is.
 * After that, a strict `parseArgs` does not throw.
 */
export function optionProblem(args: readonly string[], options: ParseArgsOptionsConfig): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (!option) return `unknown option ${rawName}${meant(name, Object.keys(options))}`
    if (option.type === 'boolean' && value !== undefined) return `${rawName} takes no value, but has ${value}`
    if (option.type === 'boolean') continue
    if (value === undefined) return `${rawName} needs a value`
    if (!inlineValue && /^-./.test(value)) {
      return `${rawName} needs a value before ${value}; a value that begins with a dash is written --${name}=${value}`
    }
  }
  return undefined
}

function meant(name: string, known: readonly string[]): string {
  const close = closestName(name, known)
  return close === undefined ? '' : ` (did you mean --${close}?)`
}
