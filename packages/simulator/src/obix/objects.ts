import type { Point } from '../building/air-handler-points.ts'
import type { Building } from '../building/building.ts'
import { type Element, element } from './xml.ts'

/** Returns an error object. oBIX has three kinds of error, all sent with HTTP 200. */
export function errOf(kind: 'BadUriErr' | 'UnsupportedErr' | 'PermissionErr' | undefined, display: string): Element {
  return element('err', { is: kind && `obix:${kind}`, display })
}

export const nil: Element = element('obj', { is: 'obix:Nil', null: 'true' })

export function lobby(points: readonly Point[]): Element {
  return element('obj', { is: 'obix:Lobby', displayName: 'Air handling unit' }, [
    element('ref', { name: 'about', href: 'about/', is: 'obix:About' }),
    operation('batch', 'obix:BatchIn', 'obix:BatchOut'),
    element('ref', { name: 'watchService', href: 'watchService/', is: 'obix:WatchService' }),
    element(
      'list',
      { name: 'points', href: 'points/', of: 'obix:ref obix:Point' },
      points.map((point) => pointRef(point, `points/${point.name}/`)),
    ),
  ])
}

export function pointList(points: readonly Point[]): Element {
  return element(
    'list',
    { of: 'obix:ref obix:Point' },
    points.map((point) => pointRef(point, `${point.name}/`)),
  )
}

const pointRef = (point: Point, href: string) =>
  element('ref', { name: point.name, href, is: contractsOf(point), displayName: point.displayName })

export const about: Element = element('obj', { is: 'obix:About' }, [
  element('str', { name: 'obixVersion', val: '1.0' }),
  element('str', { name: 'serverName', val: 'Simulated air handling unit' }),
  element('str', { name: 'vendorName', val: 'Plantroom' }),
  element('str', { name: 'productName', val: 'plantroom simulate' }),
])

export const watchService: Element = element('obj', { is: 'obix:WatchService' }, [
  operation('make', 'obix:Nil', 'obix:Watch'),
])

export function watchObject(leaseSeconds: number): Element {
  return element('obj', { is: 'obix:Watch' }, [
    element('reltime', { name: 'lease', href: 'lease/', val: `PT${leaseSeconds}S`, min: 'PT1S', writable: 'true' }),
    operation('add', 'obix:WatchIn', 'obix:WatchOut'),
    operation('remove', 'obix:WatchIn', 'obix:Nil'),
    operation('pollChanges', 'obix:Nil', 'obix:WatchOut'),
    operation('pollRefresh', 'obix:Nil', 'obix:WatchOut'),
    operation('delete', 'obix:Nil', 'obix:Nil'),
  ])
}

export function watchOut(values: readonly Element[]): Element {
  return element('obj', { is: 'obix:WatchOut' }, [element('list', { name: 'values', of: 'obix:obj' }, values)])
}

export function pointObject(point: Point, building: Building, path: string): Element {
  const value = point.read(building)
  const val = value === undefined ? undefined : String(value)
  const attributes = {
    is: contractsOf(point),
    displayName: point.displayName,
    val,
    null: val === undefined ? 'true' : undefined,
    display: val === undefined ? '-' : [val, point.unit?.symbol].filter((part) => part).join(' '),
    unit: point.unit?.href,
    min: point.write && String(point.write.min),
    max: point.write && String(point.write.max),
    writable: point.write && 'true',
  }
  // From the root: in a batch, the object has the href that the client used.
  const writePoint = operation('writePoint', 'obix:WritePointIn', 'obix:Point', `${path}writePoint/`)
  return element(point.type, attributes, point.write ? [writePoint] : [])
}

const contractsOf = ({ write }: Point) => (write ? 'obix:WritablePoint obix:Point' : 'obix:Point')

function operation(name: string, takes: string, gives: string, href = `${name}/`): Element {
  return element('op', { name, href, in: takes, out: gives })
}
