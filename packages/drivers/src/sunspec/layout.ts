import { excerpt } from '../excerpt.ts'
import { definitionOf, type GroupDefinition, knownModels, type PointDefinition } from './definitions.ts'

/** The deepest group of a known model has three above it. */
const MAX_DEPTH = 6
const MAX_SUGGESTED = 4

/** What the standard says about a point that a file names. */
export interface DefinedPoint {
  model: number
  /** As in the file: groups and point, and the number of each repetition from 1. For example `Crv[1].Pt[2].V`. */
  path: string
  definition: PointDefinition
  /** The groups from the model down to the point. */
  groups: readonly GroupDefinition[]
  /** Which repetition of each of these groups; 1 for a group that occurs once. */
  blocks: readonly number[]
}

/** A model as the device has it. */
export interface ModelPlace {
  model: number
  /** The address of its number. */
  register: number
  /** Its length as the device says it: without number and length. */
  length: number
}

/** Registers of a model, from its number. */
export interface PointPlace {
  offset: number
  scale: { name: string; offset: number } | number
}

const STEP = /^(\w{1,40})(?:\[(\d{1,5})\])?$/

/** Finds a point by its model and path. Returns what is wrong with them otherwise. */
export function findPoint(model: number, path: string): DefinedPoint | { path: 'model' | 'point'; message: string } {
  const definition = definitionOf(model)
  if (!definition)
    return { path: 'model', message: `${model} is not among the models that we know: ${knownModels().join(', ')}` }
  const problem = (message: string) => ({ path: 'point' as const, message: `${excerpt(path)} ${message}` })
  const steps = path.split('.', MAX_DEPTH).map((step) => STEP.exec(step) ?? [])
  const groups = [definition]
  const blocks = [1]
  for (const [, name, block] of steps.slice(0, -1)) {
    const group = groups.at(-1)?.groups.find((each) => each.name === name)
    if (!group) return problem(`is not in model ${model}${suggestion(definition, path)}`)
    if ((group.count === 1) !== (block === undefined) || block === '0') {
      return problem(
        group.count === 1 ? `must name ${name} without a number` : `must say which ${name}, for example ${name}[1]`,
      )
    }
    groups.push(group)
    blocks.push(Number(block ?? 1))
  }
  const [last, name] = steps.at(-1) ?? []
  const point = groups.at(-1)?.points.find((each) => each.name === name)
  if (!point || last !== name) return problem(`is not in model ${model}${suggestion(definition, path)}`)
  return { model, path, definition: point, groups, blocks }
}

/** Returns the points that say how often the groups of a model repeat. They are in its fixed part. */
export function countsOf(model: number): readonly PointDefinition[] {
  const definition = definitionOf(model)
  const names = new Set(definition && countNames(definition))
  return definition?.points.filter(({ name }) => names.has(name)) ?? []
}

const countNames = ({ groups }: GroupDefinition): readonly string[] =>
  groups.flatMap((group) => [...(typeof group.count === 'object' ? [group.count.point] : []), ...countNames(group)])

/** Returns the paths of a point of this name, in the first repetition of each group. */
function suggestion(definition: GroupDefinition, asked: string): string {
  const last = asked.slice(asked.lastIndexOf('.') + 1).toLowerCase()
  const near = [...pathsOf(definition)].filter((path) => path.slice(path.lastIndexOf('.') + 1).toLowerCase() === last)
  return near.length > 0 ? `; there is ${near.slice(0, MAX_SUGGESTED).join(', ')}` : ''
}

function* pathsOf(group: GroupDefinition, prefix = ''): Iterable<string> {
  for (const { name } of group.points) yield `${prefix}${name}`
  for (const each of group.groups) yield* pathsOf(each, `${prefix}${each.name}${each.count === 1 ? '' : '[1]'}.`)
}

/** What the points that count repetitions hold. */
export type Counts = ReadonlyMap<string, number>

/** Returns where a point is in a model of the device; a text says why it is not there. */
export function placeOf(
  point: DefinedPoint,
  { length }: Pick<ModelPlace, 'length'>,
  counts: Counts,
): PointPlace | string {
  const size = 2 + length
  const { groups, definition, blocks } = point
  let start = 0
  for (const [index, group] of groups.entries()) {
    const parent = groups[index - 1]
    if (!parent) continue
    start += parent.width
    for (const before of parent.groups) {
      if (before === group) break
      start += widthOf(before, counts) * repeats(before, counts, size - start)
    }
    if (group.count === 1) continue
    const block = blocks[index] ?? 1
    const most = repeats(group, counts, size - start)
    if (block > most) return `the device has ${most} of ${group.name}, so that there is no number ${block}`
    start += (block - 1) * widthOf(group, counts)
  }
  const offset = start + definition.offset
  if (offset + definition.width > size) return `the device's model has only ${length} registers and ends before it`
  if (definition.scale === undefined) return { offset, scale: 0 }
  const fixed = Number(definition.scale)
  if (Number.isInteger(fixed)) return { offset, scale: fixed }
  // Scale factors are in the fixed part of each model.
  const scale = groups[0]?.points.find(({ name }) => name === definition.scale)
  if (!scale || scale.offset >= size) return `the device's model ends before the scale factor ${definition.scale}`
  return { offset, scale: { name: scale.name, offset: scale.offset } }
}

export function widthOf(group: GroupDefinition, counts: Counts): number {
  return group.groups.reduce((sum, each) => sum + widthOf(each, counts) * repeats(each, counts, 0), group.width)
}

/** Returns how often a group is there; `room` is what is left of the model. */
export function repeats(group: GroupDefinition, counts: Counts, room: number): number {
  if (group.count === 1) return 1
  if (group.count === 'fill') return Math.max(0, Math.floor(room / widthOf(group, counts)))
  return counts.get(group.count.point) ?? 0
}
