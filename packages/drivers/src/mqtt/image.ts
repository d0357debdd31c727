import { Failure } from '@plantroom/contract/failure'
import type { Image, Raw, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { commandValue, type Outcome, type Scalar } from './codec.ts'
import type { Command } from './config.ts'
import { isDecimal, isSameDecimal, toJsonNumber } from './decimal.ts'

// An image is the state as JSON: text in quotes, or a number with all its digits.

const MAX_TEXT = 1024

/** Adds an image to a reading whose raw value would not restore the state with this command. */
export function withImage(reading: Reading, state: Outcome<Scalar>, command: Command): Reading {
  if ('error' in state || ('raw' in reading && restores(reading.raw, state.value, command))) return reading
  const image = imageOf(state.value, command)
  return image === undefined ? reading : { ...reading, image }
}

function restores(raw: Raw, state: Scalar, command: Command): boolean {
  try {
    const written = commandValue(command, raw)
    const text = textOf(state)
    // Text is read as 0 or 1 only if the commands of this point use the same two values.
    return !isDecimal(text) || command.switchValues !== undefined || isSameDecimal(text, written)
  } catch {
    return false
  }
}

/** Returns `undefined` if the state is empty, or if no command would restore it. */
function imageOf(state: Scalar, command: Command): string | undefined {
  const text = textOf(state)
  if (state === null || !isKept(text) || !canCarry(command, text)) return undefined
  return typeof state === 'string' ? JSON.stringify(text) : text
}

const textOf = (state: Scalar) => (Object.is(state, -0) ? '-0' : String(state).trim())

/** Returns false for empty, long or broken text, and for a JSON document, whose value was not found. */
const isKept = (text: string) =>
  text !== '' && text.length <= MAX_TEXT && text.isWellFormed() && !text.startsWith('{') && !text.startsWith('[')

/** Returns true if the command can send the text: a template accepts only numbers. */
function canCarry({ pieces, quoted }: Command, text: string): boolean {
  const isTemplate = !quoted && pieces.some((piece) => piece !== '')
  return !isTemplate || isDecimal(text)
}

/** Returns the payload that restores an image. Throws a `Failure` of kind `rejected` if it does not suit the command. */
export function restoringPayload(command: Command, { image }: Image): string {
  const state = parseImage(image)
  if (state === undefined || !canCarry(command, state.text)) {
    throw new Failure('rejected', `the stored value ${excerpt(String(image))} is damaged; nothing was sent`)
  }
  return command.pieces.join(command.quoted ? toJson(state) : state.text)
}

interface Kept {
  text: string
  isText: boolean
}

function toJson({ text, isText }: Kept): string {
  return isText ? (toJsonNumber(text) ?? JSON.stringify(text)) : text
}

const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)$/

function parseImage(image: unknown): Kept | undefined {
  // JSON escapes take up to six characters each; two more for the quotes.
  if (typeof image !== 'string' || image.length > 6 * MAX_TEXT + 2) return undefined
  if (!image.startsWith('"')) return LITERAL.test(image) && isKept(image) ? { text: image, isText: false } : undefined
  try {
    const text: string = JSON.parse(image)
    return isKept(text) && text === text.trim() ? { text, isText: true } : undefined
  } catch {
    return undefined
  }
}
