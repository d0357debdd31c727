import type { ModbusFaults } from '../faults.ts'
import { type Frame, type Framing, TCP_FRAMING } from './frames.ts'
import { answer, exceptionTo, type Unit } from './functions.ts'

/** The reaction to one request. */
export interface Reply {
  bytes: Buffer
  delayMs: number
  byteByByte: boolean
}

/** Returns the reaction to a request: a correct or wrong answer, none, or a closed connection. */
export function respond(
  request: Frame,
  units: ReadonlyMap<number, Unit>,
  allFaults: ModbusFaults,
  { bytesOf }: Framing = TCP_FRAMING,
): Reply | 'nothing' | 'reset' {
  const faults = concerns(allFaults, request) ? allFaults : {}
  if (faults.reset) return 'reset'
  if (faults.silent) return 'nothing'
  const unit = units.get(request.unitId)
  const pdu = faults.exception
    ? exceptionTo(request.pdu, faults.exception)
    : answer(unit && faults['ignore-writes'] ? stubborn(unit) : unit, request.pdu)
  return {
    bytes: bytesOf(garbled({ ...request, pdu }, faults)),
    delayMs: faults.late ?? 0,
    byteByByte: faults['byte-by-byte'] === 1,
  }
}

const concerns = (faults: ModbusFaults, { unitId }: Frame) => (faults['only-unit'] ?? unitId) === unitId

/** Acknowledges every write and changes nothing. */
function stubborn(unit: Unit): Unit {
  return { ...unit, writeRegisters: () => 'written', writeCoils: () => 'written' }
}

function garbled({ transactionId, unitId, pdu }: Frame, faults: ModbusFaults): Frame {
  return {
    transactionId: faults['wrong-transaction'] ? (transactionId + 1) % 0x10000 : transactionId,
    unitId: faults['wrong-unit'] ? (unitId + 1) % 0x100 : unitId,
    pdu: faults['short-frame'] ? pdu.subarray(0, -1) : pdu,
  }
}
