import { MODELS } from './models.ts'
import { isValueType, TYPES, type ValueType } from './values.ts'

/** A point as the standard defines it. */
export interface PointDefinition {
  name: string
  type: ValueType | 'string' | 'pad'
  /** Registers from the beginning of its group. */
  offset: number
  width: number
  /** The name of its scale factor. */
  scale: string | undefined
  unit: string
  writable: boolean
  /** The names of its states by their number. */
  states: ReadonlyMap<number, string> | undefined
}

/** A group of points, which a device may repeat: modules, curves, points of a curve. */
export interface GroupDefinition {
  name: string
  /** How often it occurs: once, as often as the model has room, or as often as this point says. */
  count: 1 | 'fill' | { point: string }
  points: readonly PointDefinition[]
  groups: readonly GroupDefinition[]
  /** The size of its own points in registers. */
  width: number
}

const definitions = new Map<number, GroupDefinition>()
let texts: ReadonlyMap<number, string> | undefined

/** Returns the definition of a model; `undefined` for one that we do not know. Nothing is parsed before it is needed. */
export function definitionOf(model: number): GroupDefinition | undefined {
  texts ??= splitModels()
  const known = definitions.get(model)
  const text = texts.get(model)
  if (known || text === undefined) return known
  const definition = parseModel(text)
  definitions.set(model, definition)
  return definition
}

export function knownModels(): readonly number[] {
  texts ??= splitModels()
  return [...texts.keys()]
}

/** Splits the text into models. A heading has the number and name of each model that the lines below it describe. */
function splitModels(): ReadonlyMap<number, string> {
  return new Map(
    MODELS.trim()
      .slice('# '.length)
      .split('\n# ')
      .flatMap((section) => {
        const end = section.indexOf('\n')
        const names = section.slice(0, end).split(', ')
        return names.map((each) => {
          const [number = '', name = ''] = each.split(' ')
          return [Number(number), `${name}\n${section.slice(end + 1)}`] as const
        })
      }),
  )
}

interface OpenGroup extends GroupDefinition {
  points: PointDefinition[]
  groups: OpenGroup[]
}

const newGroup = (name: string, count: GroupDefinition['count']): OpenGroup => ({
  ...{ name, count, points: [], groups: [] },
  width: 0,
})

function parseModel(text: string): GroupDefinition {
  const [name = '', ...lines] = text.split('\n')
  const model = newGroup(name, 1)
  // The group that is open at each depth.
  const path = [model]
  for (const line of lines) {
    const [first = '', ...rest] = line.split(' ')
    if (first.startsWith('>')) {
      const [groupName = '', count] = rest
      const group = newGroup(groupName, countOf(count))
      path.length = first.length
      path.at(-1)?.groups.push(group)
      path.push(group)
    } else {
      const group = path.at(-1) ?? model
      for (const word of [first, ...rest]) {
        const point = parsePoint(word, group.width)
        group.points.push(point)
        group.width += point.width
      }
    }
  }
  return model
}

function countOf(text: string | undefined): GroupDefinition['count'] {
  if (text === undefined) return 1
  return text === '0' ? 'fill' : { point: text }
}

const POINT = /^(\w+)=(\w+)(?:\/(\d+))?(?:\*(\w+))?(?:\[([^\]]*)\])?(!)?(?:\{(.*)\})?$/

/** Reads for example `WSet=int32*WSet_SF[W]!`: name, type, scale factor, unit, and that it can be written. */
function parsePoint(text: string, offset: number): PointDefinition {
  const match = POINT.exec(text)
  if (!match) throw new Error(`a damaged definition: ${text}`)
  const [, name = '', type = '', size, scale, unit = '', writable, states] = match
  return {
    name,
    type: isValueType(type) ? type : type === 'string' ? 'string' : 'pad',
    offset,
    width: size === undefined ? (isValueType(type) ? TYPES[type].width : 1) : Number(size),
    scale,
    unit,
    writable: writable !== undefined,
    states: states === undefined ? undefined : new Map(states.split(',').map(parseState)),
  }
}

function parseState(text: string): readonly [number, string] {
  const [value = '', name = ''] = text.split(':')
  return [Number(value), name]
}
