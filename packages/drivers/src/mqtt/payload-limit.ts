import { MAX_PAYLOAD } from './codec.ts'

const PUBLISH = 3
const MAX_TOPIC = 65_535

/** The longest payload, the rest of a PUBLISH (topic, its length, packet id), and one extra byte. */
export const MAX_BODY = 2 + MAX_TOPIC + 2 + MAX_PAYLOAD + 1

/**
 * Truncates MQTT frames that are too long, because the parser has no limit and would buffer up to 256 MB. A truncated
 * PUBLISH is still a PUBLISH whose payload is too long. Pure: takes bytes as they arrive and returns the bytes to parse.
 * Throws if the bytes are not MQTT.
 */
export function createPayloadLimit(): (chunk: Uint8Array) => Uint8Array[] {
  let header: number[] = []
  let toPass = 0
  let toSkip = 0

  function take(byte: number): Uint8Array | undefined {
    header.push(byte)
    if (header.length === 1 || byte & 0x80) {
      if (header.length > 4) throw new Error('it sent a frame without a length; check that it is an MQTT broker')
      return undefined
    }
    const [type, ...digits] = header as [number, ...number[]]
    const length = digits.reduce((sum, digit, place) => sum + (digit & 0x7f) * 128 ** place, 0)
    header = []
    toPass = Math.min(length, MAX_BODY)
    toSkip = length - toPass
    if (toSkip > 0 && type >> 4 !== PUBLISH) throw new Error(`it sent a frame of ${length} bytes that is not a message`)
    return Uint8Array.of(type, ...digitsOf(toPass))
  }

  return (chunk) => {
    const passed: Uint8Array[] = []
    let position = 0
    while (position < chunk.length) {
      if (toPass > 0) {
        const part = chunk.subarray(position, position + toPass)
        passed.push(part)
        toPass -= part.length
        position += part.length
      } else if (toSkip > 0) {
        const skipped = Math.min(toSkip, chunk.length - position)
        toSkip -= skipped
        position += skipped
      } else {
        const frameStart = take(chunk[position] as number)
        if (frameStart) passed.push(frameStart)
        position += 1
      }
    }
    return passed
  }
}

function digitsOf(length: number): number[] {
  const digits: number[] = []
  let rest = length
  do {
    digits.push(rest >= 128 ? (rest % 128) | 0x80 : rest)
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return digits
}
