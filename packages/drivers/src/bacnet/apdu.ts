import { concat, Malformed } from './tags.ts'

/** The services that are used here. */
export const SERVICE = {
  confirmedCovNotification: 1,
  subscribeCov: 5,
  readProperty: 12,
  readPropertyMultiple: 14,
  writeProperty: 15,
} as const
export const UNCONFIRMED = { iAm: 0, covNotification: 2, whoIs: 8 } as const

/** A message between two devices. */
export type Apdu =
  | { kind: 'request'; invokeId: number; service: number; maxApdu: number; data: Uint8Array }
  | { kind: 'unconfirmed'; service: number; data: Uint8Array }
  | { kind: 'done'; invokeId: number; service: number }
  | { kind: 'result'; invokeId: number; service: number; segment: Segment | undefined; data: Uint8Array }
  | { kind: 'segment-ack'; invokeId: number; isNegative: boolean; sequence: number }
  | { kind: 'error'; invokeId: number; service: number; data: Uint8Array }
  | { kind: 'reject'; invokeId: number; reason: number }
  | { kind: 'abort'; invokeId: number; reason: number }

export interface Segment {
  sequence: number
  windowSize: number
  isLast: boolean
}

/** The lengths that the header of a request can name, by code. */
export const APDU_LENGTHS = [50, 128, 206, 480, 1024, 1476] as const
export type ApduLength = (typeof APDU_LENGTHS)[number]

/** We take up to 64 segments of an answer. */
export const MAX_SEGMENTS = 64
const MAX_SEGMENTS_CODE = 6

/** Encodes a request that may be answered in segments of up to `maxApdu` bytes. */
export const encodeRequest = (invokeId: number, service: number, data: Uint8Array, maxApdu: ApduLength) =>
  concat([0x02, (MAX_SEGMENTS_CODE << 4) | APDU_LENGTHS.indexOf(maxApdu), invokeId, service], data)

export const encodeUnconfirmed = (service: number, data: Uint8Array) => concat([0x10, service], data)

export const encodeDone = (invokeId: number, service: number) => Uint8Array.of(0x20, invokeId, service)

export const encodeSegmentAck = (invokeId: number, isNegative: boolean, sequence: number, windowSize: number) =>
  Uint8Array.of(0x40 | (isNegative ? 2 : 0), invokeId, sequence, windowSize)

/** The end of a request of which we want no more. */
export const encodeAbort = (invokeId: number, reason: number) => Uint8Array.of(0x70, invokeId, reason)

/** Reads a message. Throws `Malformed`. */
export function readApdu(bytes: Uint8Array): Apdu {
  const need = (length: number) => {
    if (bytes.length < length) throw new Malformed('ends too early')
  }
  need(2)
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = bytes
  switch (first >> 4) {
    case 0: {
      need(4)
      // Nobody has a reason to send us a request in segments.
      if (first & 8) throw new Malformed('is a request in segments')
      const maxApdu = APDU_LENGTHS[second & 15] ?? 50
      return { kind: 'request', invokeId: third, service: fourth, maxApdu, data: bytes.subarray(4) }
    }
    case 1:
      return { kind: 'unconfirmed', service: second, data: bytes.subarray(2) }
    case 2:
      need(3)
      return { kind: 'done', invokeId: second, service: third }
    case 3: {
      const isSegmented = (first & 8) !== 0
      need(isSegmented ? 5 : 3)
      if (!isSegmented) {
        return { kind: 'result', invokeId: second, service: third, segment: undefined, data: bytes.subarray(3) }
      }
      const segment = { sequence: third, windowSize: fourth, isLast: (first & 4) === 0 }
      return { kind: 'result', invokeId: second, service: fifth, segment, data: bytes.subarray(5) }
    }
    case 4:
      need(4)
      return { kind: 'segment-ack', invokeId: second, isNegative: (first & 2) !== 0, sequence: third }
    case 5:
      need(3)
      return { kind: 'error', invokeId: second, service: third, data: bytes.subarray(3) }
    case 6:
      need(3)
      return { kind: 'reject', invokeId: second, reason: third }
    case 7:
      need(3)
      return { kind: 'abort', invokeId: second, reason: third }
    default:
      throw new Malformed('is of an unknown kind')
  }
}
