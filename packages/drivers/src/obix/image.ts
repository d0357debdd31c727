import { Failure } from '@plantroom/contract/failure'
import type { Image, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { type Element, isBad, isNull, parseValue, toElement } from './codec.ts'
import type { ValueType } from './config.ts'
import { escapeXml, type ObixObject } from './xml.ts'

/** The elements of oBIX that hold a value. */
const VALUE_TAGS = ['bool', 'int', 'real', 'str', 'enum', 'uri', 'abstime', 'reltime', 'date', 'time']
const MAX_VALUE = 1024

/** A value as shown by the server. */
interface Kept {
  tag: string
  val?: string
  null?: true
}

/**
 * Adds an image to a reading whose raw value would not restore the point.
 *
 * @param writtenAs the type with which a raw value is written
 */
export function withImage(reading: Reading, object: ObixObject, writtenAs: ValueType): Reading {
  if ('raw' in reading && restores(reading.raw, object, writtenAs)) return reading
  const image = imageOf(object)
  return image === undefined ? reading : { ...reading, image }
}

function restores(raw: number | bigint, { tag, attributes }: ObixObject, writtenAs: ValueType): boolean {
  if (tag === 'real' && Object.is(Number(attributes.val), -0)) return false
  try {
    const { attributes: written } = toElement(writtenAs, raw)
    return parseValue(writtenAs, /"(.*)"/.exec(written)?.[1] ?? '') === raw
  } catch {
    return false
  }
}

/** Returns `undefined` if there is no value, or an unreliable one. */
function imageOf(object: ObixObject): string | undefined {
  const { val } = object.attributes
  if (!VALUE_TAGS.includes(object.tag) || isBad(object) || (val?.length ?? 0) > MAX_VALUE) return undefined
  if (isNull(object)) return JSON.stringify({ tag: object.tag, null: true } satisfies Kept)
  if (val === undefined) return undefined
  // Spaces around a number are insignificant; in text they are not.
  const exact = object.tag === 'str' ? val : val.trim()
  return JSON.stringify({ tag: object.tag, val: exact } satisfies Kept)
}

/** Returns the element that restores an image. Throws a `Failure` of kind `rejected` if the image is damaged. */
export function elementOfImage({ image }: Image): Element {
  const kept = parseKept(image)
  if (!kept) throw new Failure('rejected', `the stored value ${excerpt(String(image))} is damaged; nothing was sent`)
  return { tag: kept.tag, attributes: kept.null ? 'null="true"' : `val="${escapeXml(kept.val ?? '')}"` }
}

function parseKept(image: unknown): Kept | undefined {
  // JSON escapes take up to six characters each; the rest is for the object itself.
  if (typeof image !== 'string' || image.length > 6 * MAX_VALUE + 100) return undefined
  let kept: Partial<Kept> | null
  try {
    kept = JSON.parse(image)
  } catch {
    return undefined
  }
  if (typeof kept !== 'object' || kept === null || !VALUE_TAGS.includes(kept.tag as string)) return undefined
  const isValue = typeof kept.val === 'string' && kept.val.length <= MAX_VALUE && XML_TEXT.test(kept.val)
  const isOnlyNull = kept.null === true && kept.val === undefined
  return isOnlyNull || (isValue && kept.null === undefined) ? (kept as Kept) : undefined
}

/** The characters that XML 1.0 allows. */
const XML_TEXT = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u
