import { Failure } from '@plantroom/contract/failure'
import type { Image, Raw, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { commandValue, type Outcome, type Scalar } from './codec.ts'
import type { Command } from './config.ts'
import { isDecimal, isSameDecimal, toJsonNumber } from './decimal.ts'

// An image is the state as JSON: a text in quotes, or a number, digit by digit.

const LONGEST_TEXT = 1024

/** Adds the exact state to a reading whose raw value would not restore it with this command. */
export function withImage(reading: Reading, state: Outcome<Scalar>, command: Command): Reading {
  if ('error' in state || ('raw' in reading && restores(reading.raw, state.value, command))) return reading
  const image = imageOf(state.value, command)
  return image === undefined ? reading : { ...reading, image }
}

function restores(raw: Raw, state: Scalar, command: Command): boolean {
  try {
    const written = commandValue(command, raw)
    const text = textOf(state)
    // A word is read as 0 or 1 where the commands of this point are made of the same two.
    return !isDecimal(text) || command.words !== undefined || isSameDecimal(text, written)
  } catch {
    return false
  }
}

/** `undefined` where the state says nothing, or where no command is known that would restore it. */
function imageOf(state: Scalar, command: Command): string | undefined {
  const text = textOf(state)
  if (state === null || !isKept(text) || !canCarry(command, text)) return undefined
  return typeof state === 'string' ? JSON.stringify(text) : text
}

const textOf = (state: Scalar) => (Object.is(state, -0) ? '-0' : String(state).trim())

/** A document is no value: where it is the state, the value in it was not found. */
const isKept = (text: string) =>
  text !== '' && text.length <= LONGEST_TEXT && text.isWellFormed() && !text.startsWith('{') && !text.startsWith('[')

/** In a template, only a number is known to stand where a number stands. */
function canCarry({ pieces, quoted }: Command, text: string): boolean {
  const isTemplate = !quoted && pieces.some((piece) => piece !== '')
  return !isTemplate || isDecimal(text)
}

/** The payload that restores an image. Throws a `Failure` `rejected` for one that was not made for this command. */
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
  // Six characters for each that JSON escapes, and the quotes.
  if (typeof image !== 'string' || image.length > 6 * LONGEST_TEXT + 2) return undefined
  if (!image.startsWith('"')) return LITERAL.test(image) && isKept(image) ? { text: image, isText: false } : undefined
  try {
    const text: string = JSON.parse(image)
    return isKept(text) && text === text.trim() ? { text, isText: true } : undefined
  } catch {
    return undefined
  }
}
