import { sealed } from '../rtu/frame.ts'

/** How a scripted peer finds requests in what it received, and frames its answers. */
export interface PeerFraming {
  /** Returns where the first request ends; infinity while that is unknown. */
  endOf(received: Buffer): number
  open(frame: Buffer): { transactionId: number; unitId: number; pdu: Buffer }
  close(pdu: readonly number[], as: { transactionId: number; unitId: number }): Buffer
}

/** The frames of Modbus TCP. */
export const MBAP: PeerFraming = {
  endOf: (received) => (received.length < 6 ? Number.POSITIVE_INFINITY : 6 + received.readUInt16BE(4)),
  open: (frame) => ({
    transactionId: frame.readUInt16BE(0),
    unitId: frame.readUInt8(6),
    pdu: frame.subarray(7),
  }),
  close(pdu, { transactionId, unitId }) {
    const header = Buffer.alloc(7)
    header.writeUInt16BE(transactionId, 0)
    header.writeUInt16BE(pdu.length + 1, 4)
    header.writeUInt8(unitId, 6)
    return Buffer.concat([header, Buffer.from(pdu)])
  },
}

/** The frames of Modbus RTU. */
export const RTU: PeerFraming = {
  endOf(received) {
    // An identification is the shortest request.
    if (received[1] === 43) return 7
    if (received.length < 7) return Number.POSITIVE_INFINITY
    return received.readUInt8(1) > 6 ? 9 + received.readUInt8(6) : 8
  },
  open: (frame) => ({ transactionId: 0, unitId: frame.readUInt8(0), pdu: frame.subarray(1, -2) }),
  close: (pdu, { unitId }) => sealed(Buffer.from([unitId, ...pdu, 0, 0])),
}
