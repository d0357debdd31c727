import type { Point } from '../building/air-handler-points.ts'
import type { Building } from '../building/building.ts'
import type { Element } from './xml.ts'

/** Returns the building with the object's value at the point, or the reason why it is rejected. */
export function written(building: Building, { type, write }: Point, object: Element | undefined): Building | string {
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
export function leaseIn(object: Element | undefined): number | undefined {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(object?.attributes.val ?? '') ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return object?.tag === 'reltime' && total >= 1 && total <= MAX_LEASE_SECONDS ? total : undefined
}
