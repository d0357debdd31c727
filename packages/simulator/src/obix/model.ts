import type { Clock } from '@plantroom/base/clock'
import type { Point } from '../building/air-handler-points.ts'
import type { Building } from '../building/building.ts'
import type { LiveBuilding } from '../building/live-building.ts'
import type { ObixFaults } from '../faults.ts'
import { about, errOf, lobby, pointList, pointObject, watchService } from './objects.ts'
import { createWatches, type Watches } from './watches.ts'
import { childNamed, type Element, element } from './xml.ts'

export type Verb = 'read' | 'write' | 'invoke'

/** The objects of an oBIX server and their operations. An impossible operation returns an `err`. */
export interface ObixModel {
  /** @param path for example `/obix/points/supplyAir/`, with or without the trailing slash */
  request(verb: Verb, path: string, input: Element | undefined): Element
}

interface ObixModelDeps {
  points: readonly Point[]
  building: LiveBuilding
  faults(): ObixFaults
  clock: Clock
}

interface State extends ObixModelDeps {
  readonly watches: Watches
}

const ROOT = '/obix/'

export function createObixModel(deps: ObixModelDeps): ObixModel {
  const watches = createWatches({
    clock: deps.clock,
    read: (href) => labelled(request(state, 'read', pathOf(href), undefined), href),
    forcedLeaseSeconds: () => deps.faults().lease,
  })
  const state: State = { ...deps, watches }
  return { request: (verb, path, input) => request(state, verb, path, input) }
}

function request(state: State, verb: Verb, path: string, input: Element | undefined): Element {
  const parts = path.startsWith(ROOT) || `${path}/` === ROOT ? path.slice(ROOT.length).split('/') : undefined
  if (parts?.at(-1) === '') parts.pop()
  return (parts && HANDLERS[verb](state, parts, input)) ?? missing(state, verb, path)
}

function missing(state: State, verb: Verb, path: string): Element {
  const exists = verb !== 'read' && request(state, 'read', path, undefined).tag !== 'err'
  if (!exists) return errOf('BadUriErr', `there is nothing at ${path}`)
  return errOf('UnsupportedErr', `${path} cannot be ${verb === 'write' ? 'written' : 'invoked'}`)
}

/** Carries out a verb on the path below the root. Returns `undefined` if the path does not support it. */
type Handler = (state: State, parts: readonly string[], input: Element | undefined) => Element | undefined

const HANDLERS: Readonly<Record<Verb, Handler>> = {
  read(state, [folder, name, ...rest]) {
    const { points, watches } = state
    if (rest.length > 0) return undefined
    if (folder === undefined) return rooted(lobby(points))
    if (folder === 'watches' && name !== undefined) return rooted(watches.read(name), `watches/${name}/`)
    if (folder === 'points' && name !== undefined) return pointAt(state, name)
    if (name !== undefined) return undefined
    const objects: Record<string, Element> = { about, watchService, points: pointList(points) }
    return Object.hasOwn(objects, folder) ? rooted(objects[folder], `${folder}/`) : undefined
  },
  write(state, [folder, name = '', child, ...rest], input) {
    if (folder === 'points' && child === undefined) return writePoint(state, name, input)
    if (folder !== 'watches' || child !== 'lease' || rest.length > 0) return undefined
    const seconds = leaseIn(input)
    if (seconds === undefined) return errOf(undefined, 'a lease is a reltime from PT1S to PT24H')
    return rooted(state.watches.setLease(name, seconds), `watches/${name}/lease/`)
  },
  invoke(state, [folder, name = '', child, ...rest], input) {
    const { watches } = state
    if (rest.length > 0) return undefined
    if (folder === 'batch' && name === '') return batch(state, input)
    if (folder === 'watchService' && name === 'make' && child === undefined) {
      const { id, watch } = watches.make()
      return rooted(watch, `watches/${id}/`)
    }
    if (folder === 'watches' && child !== undefined) return watches.invoke(name, child, input)
    if (folder === 'points' && child === 'writePoint') return writePoint(state, name, childNamed(input, 'value'))
    return undefined
  },
}

function pointAt({ points, building }: State, name: string): Element | undefined {
  const point = points.find((each) => each.name === name)
  return point && rooted(pointObject(point, building.now(), `${ROOT}points/${name}/`), `points/${name}/`)
}

function writePoint(state: State, name: string, value: Element | undefined): Element | undefined {
  const { points, building, faults } = state
  const point = points.find((each) => each.name === name)
  if (!point) return undefined
  const changed = written(building.now(), point, value)
  if (typeof changed === 'string') return errOf(point.write ? undefined : 'PermissionErr', changed)
  if (!faults()['ignore-writes']) building.change(changed)
  return pointAt(state, name)
}

/** Returns a result for every item in its place, even for an impossible one. */
function batch(state: State, input: Element | undefined): Element {
  const items = input?.tag === 'list' ? input.children : []
  const results = items.map((item) => {
    const { val = '', is = '' } = item.attributes
    const verb = BATCH_VERBS.get(is)
    if (item.tag !== 'uri' || !verb) return labelled(errOf('UnsupportedErr', `${is} is not in a batch`), val)
    return labelled(request(state, verb, pathOf(val), childNamed(item, 'in')), val)
  })
  return element('list', { is: 'obix:BatchOut', of: 'obix:obj' }, results)
}

const BATCH_VERBS: ReadonlyMap<string, Verb> = new Map([
  ['obix:Read', 'read'],
  ['obix:Write', 'write'],
  ['obix:Invoke', 'invoke'],
])

/** Batches and watches name objects by path or by full address; the host is ignored. */
function pathOf(href: string): string {
  if (href.startsWith('/')) return href
  return URL.canParse(href) ? new URL(href).pathname : ''
}

/** Sets the href exactly as requested, so that the client can match the object. */
const labelled = (object: Element, href: string) => element(object.tag, { ...object.attributes, href }, object.children)

/** Sets the href of a root object to its own path. */
function rooted(object: Element | undefined, path = ''): Element | undefined {
  return object && labelled({ ...object, attributes: unnamed(object.attributes) }, `${ROOT}${path}`)
}

function unnamed({ name: _, ...attributes }: Element['attributes']): Element['attributes'] {
  return attributes
}

/** Returns the building with the object's value at the point, or the reason why it is rejected. */
function written(building: Building, { type, write }: Point, object: Element | undefined): Building | string {
  if (!write) return 'the point is read only'
  if (!object || (object.tag !== 'real' && object.tag !== 'int')) return `a ${type} is needed`
  const { val, null: isNull } = object.attributes
  if (isNull === 'true' || val === undefined) return 'a value is needed'
  const value = NUMBER.test(val.trim()) ? Number(val) : Number.NaN
  if (Number.isNaN(value) || (type === 'int' && !Number.isInteger(value))) return `${val} is not a ${type}`
  if (value < write.min || value > write.max) return `${val} is not from ${write.min} to ${write.max}`
  return write.set(building, value)
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

const MAX_LEASE_SECONDS = 86_400

/** Parses a `reltime`, for example PT1M30S, to seconds; returns `undefined` if it is not a valid lease. */
function leaseIn(object: Element | undefined): number | undefined {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(object?.attributes.val ?? '') ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return object?.tag === 'reltime' && total >= 1 && total <= MAX_LEASE_SECONDS ? total : undefined
}
