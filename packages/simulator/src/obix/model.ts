import type { Clock } from '@plantroom/base/clock'
import type { Point } from '../building/air-handler-points.ts'
import type { LiveBuilding } from '../building/live-building.ts'
import type { ObixFaults } from '../faults.ts'
import { about, errOf, lobby, pointList, pointObject, watchService } from './objects.ts'
import { leaseIn, written } from './values.ts'
import { createWatches } from './watches.ts'
import { childNamed, type Element, element } from './xml.ts'

export type Verb = 'read' | 'write' | 'invoke'

/** The objects of an oBIX server and their operations. An impossible operation returns an `err`. */
export interface ObixModel {
  /** @param path for example `/obix/points/supplyAir/`, with or without the trailing slash */
  request(verb: Verb, path: string, input: Element | undefined): Element
}

const ROOT = '/obix/'

export function createObixModel(deps: {
  points: readonly Point[]
  building: LiveBuilding
  faults(): ObixFaults
  clock: Clock
}): ObixModel {
  const { points, building, faults, clock } = deps
  const watches = createWatches({
    clock,
    read: (href) => labelled(request('read', pathOf(href), undefined), href),
    forcedLeaseSeconds: () => faults().lease,
  })

  function request(verb: Verb, path: string, input: Element | undefined): Element {
    const parts = path.startsWith(ROOT) || `${path}/` === ROOT ? path.slice(ROOT.length).split('/') : undefined
    if (parts?.at(-1) === '') parts.pop()
    return (parts && HANDLERS[verb](parts, input)) ?? missing(verb, path)
  }

  function missing(verb: Verb, path: string): Element {
    const exists = verb !== 'read' && request('read', path, undefined).tag !== 'err'
    if (!exists) return errOf('BadUriErr', `there is nothing at ${path}`)
    return errOf('UnsupportedErr', `${path} cannot be ${verb === 'write' ? 'written' : 'invoked'}`)
  }

  type Handle = (parts: readonly string[], input: Element | undefined) => Element | undefined

  const HANDLERS: Record<Verb, Handle> = {
    read([folder, name, ...rest]) {
      if (rest.length > 0) return undefined
      if (folder === undefined) return rooted(lobby(points))
      if (folder === 'watches' && name !== undefined) return rooted(watches.read(name), `watches/${name}/`)
      if (folder === 'points' && name !== undefined) return pointAt(name)
      if (name !== undefined) return undefined
      const objects: Record<string, Element> = { about, watchService, points: pointList(points) }
      return Object.hasOwn(objects, folder) ? rooted(objects[folder], `${folder}/`) : undefined
    },
    write([folder, name = '', child, ...rest], input) {
      if (folder === 'points' && child === undefined) return writePoint(name, input)
      if (folder !== 'watches' || child !== 'lease' || rest.length > 0) return undefined
      const seconds = leaseIn(input)
      if (seconds === undefined) return errOf(undefined, 'a lease is a reltime from PT1S to PT24H')
      return rooted(watches.setLease(name, seconds), `watches/${name}/lease/`)
    },
    invoke([folder, name = '', child, ...rest], input) {
      if (rest.length > 0) return undefined
      if (folder === 'batch' && name === '') return batch(input)
      if (folder === 'watchService' && name === 'make' && child === undefined) {
        const { id, watch } = watches.make()
        return rooted(watch, `watches/${id}/`)
      }
      if (folder === 'watches' && child !== undefined) return watches.invoke(name, child, input)
      if (folder === 'points' && child === 'writePoint') return writePoint(name, childNamed(input, 'value'))
      return undefined
    },
  }

  function pointAt(name: string): Element | undefined {
    const point = points.find((each) => each.name === name)
    return point && rooted(pointObject(point, building.now(), `${ROOT}points/${name}/`), `points/${name}/`)
  }

  function writePoint(name: string, value: Element | undefined): Element | undefined {
    const point = points.find((each) => each.name === name)
    if (!point) return undefined
    const changed = written(building.now(), point, value)
    if (typeof changed === 'string') return errOf(point.write ? undefined : 'PermissionErr', changed)
    if (!faults()['ignore-writes']) building.change(changed)
    return pointAt(name)
  }

  /** Returns a result for every item in its place, even for an impossible one. */
  function batch(input: Element | undefined): Element {
    const items = input?.tag === 'list' ? input.children : []
    const results = items.map((item) => {
      const { val = '', is = '' } = item.attributes
      const verb = BATCH_VERBS.get(is)
      if (item.tag !== 'uri' || !verb) return labelled(errOf('UnsupportedErr', `${is} is not in a batch`), val)
      return labelled(request(verb, pathOf(val), childNamed(item, 'in')), val)
    })
    return element('list', { is: 'obix:BatchOut', of: 'obix:obj' }, results)
  }

  return { request }
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
