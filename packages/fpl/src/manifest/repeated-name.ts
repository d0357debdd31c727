import { shown } from '@plantroom/contract/shown'
import { manifestInvalid, type PackageRefused } from '../refusal.ts'
import { textEnd } from './parse-json.ts'

/** Counts the names of all objects in a parsed value. A duplicate name counts once. */
export function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Array.isArray(value) ? value : Object.values(value)
  let count = Array.isArray(value) ? 0 : children.length
  for (const child of children) {
    if (typeof child === 'object' && child !== null) count += countNames(child)
  }
  return count
}

/** Returns the error for JSON with a duplicate name. `root` is the path of the JSON in the manifest. */
export function repeatedName(json: string, root: string): PackageRefused {
  const { name, path } = findRepeatedName(json, root)
  return nameUsedTwice(name, path)
}

/** Returns the error for a name that is used twice in the object at `path`. */
export function nameUsedTwice(name: string, path: string): PackageRefused {
  return manifestInvalid(`the name \`${shown(name)}\` is used twice in ${path}`)
}

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined
  readonly path: string
  index: number
  name: string
}

/**
 * Returns the first duplicate name in valid JSON and the path of its object. Slow: use it only if there is a duplicate.
 */
export function findRepeatedName(json: string, root: string): { name: string; path: string } {
  const levels: Level[] = []
  let isName = false
  for (let at = 0; at < json.length; at++) {
    const level = levels.at(-1)
    switch (json[at]) {
      case '{':
      case '[':
        isName = json[at] === '{'
        levels.push({ names: isName ? new Set() : undefined, path: pathInside(level, root), index: 0, name: '' })
        break
      case '}':
      case ']':
        levels.pop()
        isName = false
        break
      case ',':
        if (level) level.index += 1
        isName = level?.names !== undefined
        break
      case '"': {
        const end = textEnd(json, at)
        if (isName && level?.names) {
          level.name = JSON.parse(json.slice(at, end))
          if (level.names.has(level.name)) return { name: level.name, path: level.path }
          level.names.add(level.name)
        }
        isName = false
        at = end - 1
        break
      }
    }
  }
  throw new Error('this JSON has no duplicate name')
}

function pathInside(level: Level | undefined, root: string): string {
  if (!level) return root
  return level.names ? `${level.path}.${shown(level.name)}` : `${level.path}[${level.index}]`
}
