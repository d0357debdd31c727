import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { closestName } from '../closest-name.ts'
import type { SettingEntry } from './found-settings.ts'

/** A value of the file, as text, with its line. */
export interface FileValue {
  text: string
  line: number
}

interface Parsed {
  /** By dotted path. */
  values: ReadonlyMap<string, FileValue>
  problems: string[]
}

/** Every key that a file may have, by dotted path. */
export type Places = ReadonlyMap<string, Pick<SettingEntry, 'kind'>>

interface Walk {
  name: string
  places: Places
  /** Every path that has keys below it. */
  rooms: ReadonlySet<string>
  lineOf(node: Node | null | undefined): number
  resolve(node: unknown): unknown
  values: Map<string, FileValue>
  problems: string[]
}

/** Reads the text of `plantroom.yaml`. Problems name the file, the line and the key, and never a value. */
export function parseSettingsFile(name: string, text: string, places: Places): Parsed {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [wrong] = document.errors
  if (wrong) {
    const problem = `${name} line ${lines.linePos(wrong.pos[0]).line}: not valid YAML (${wrong.message.split(/ at line|:?\n/)[0]})`
    return { values: new Map(), problems: [problem] }
  }
  const walk: Walk = {
    name,
    places,
    values: new Map(),
    problems: [],
    rooms: new Set([...places.keys()].flatMap(roomsOf)),
    lineOf: (node) => lines.linePos(node?.range?.[0] ?? 0).line,
    // An alias without its anchor stays an alias, which is no value.
    resolve: (node) => (isAlias(node) ? (node.resolve(document) ?? node) : node),
  }
  if (document.contents !== null) readMap(walk, '', document.contents)
  return { values: walk.values, problems: walk.problems }
}

/** `a.b.c` is in the rooms `a` and `a.b`. */
function roomsOf(place: string): string[] {
  const keys = place.split('.')
  return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}

function readMap(walk: Walk, path: string, node: unknown): void {
  const { name, problems, lineOf } = walk
  if (!isMap(node)) {
    problems.push(`${name} line ${lineOf(node as Node)}${path && `, ${path}`}: give keys with values below it`)
    return
  }
  for (const { key, value } of node.items) {
    const own = isScalar(key) ? String(key.value) : '?'
    const place = path === '' ? own : `${path}.${own}`
    const target = walk.resolve(value)
    if (walk.rooms.has(place)) {
      if (!isEmpty(target)) readMap(walk, place, target)
    } else if (walk.places.has(place)) readValue(walk, place, lineOf(key as Node), target)
    else problems.push(`${name} line ${lineOf(key as Node)}, ${place}: unknown key${hint(walk, path, own)}`)
  }
}

const isEmpty = (node: unknown) => node === null || node === undefined || (isScalar(node) && node.value === null)

function hint({ places, rooms }: Walk, path: string, own: string): string {
  const all = [...rooms, ...places.keys()]
  const beside = all.filter((one) => one.slice(0, Math.max(0, one.lastIndexOf('.'))) === path)
  const close = closestName(
    own,
    beside.map((one) => one.slice(one.lastIndexOf('.') + 1)),
  )
  if (close) return `; did you mean ${path === '' ? close : `${path}.${close}`}?`
  const elsewhere = all.find((one) => one.endsWith(`.${own}`))
  return elsewhere ? `; did you mean ${elsewhere}?` : '; docs/reference/settings.md lists all keys'
}

function readValue(
  { name, places, values, problems, resolve }: Walk,
  place: string,
  line: number,
  node: unknown,
): void {
  if (isEmpty(node)) return
  const value = readNode(places.get(place)?.kind, node, resolve)
  if ('problem' in value) problems.push(`${name} line ${line}, ${place}: ${value.problem}`)
  else values.set(place, { text: value.text, line })
}

function readNode(
  kind: string | undefined,
  node: unknown,
  resolve: Walk['resolve'],
): { text: string } | { problem: string } {
  if (isSeq(node)) {
    const items = node.items.map(resolve)
    if (kind !== 'list' || !items.every(isScalar)) return { problem: 'give one value, not a list' }
    return { text: items.map(textOf).join(' ') }
  }
  if (!isScalar(node)) return { problem: 'give one value' }
  if (kind !== 'switch') return { text: textOf(node) }
  return typeof node.value === 'boolean' ? { text: node.value ? '1' : '' } : { problem: 'give true or false' }
}

/** As it was written: a device id 0123 is not the number 123. */
function textOf(node: unknown): string {
  if (!isScalar(node)) return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}
