import type { EquipmentScan } from '@plantroom/contract/discovery'
import type { Protocol } from '@plantroom/contract/protocols'
import { readScanTarget } from '@plantroom/contract/scan-target'
import { format, formatNumber } from '../../../../texts/format.ts'
import { scan } from '../../../../texts/scan.ts'

const texts = scan.target

/** Where a person points a scan, as they type it. */
export interface TargetDraft {
  protocol: Protocol
  /** A host, with or without its port; a network; or a serial port. */
  where: string
  /** Unit ids; empty for the usual ones. */
  units: string
  more: Readonly<Record<string, unknown>>
}

/** What the service is asked to scan. */
export interface ScanRequest {
  protocol: EquipmentScan['connections'][number]['protocol']
  settings: Record<string, unknown>
}

export const NEW_TARGET: TargetDraft = { protocol: 'modbus-tcp', where: '', units: '', more: {} }

/** What a serial line is set to unless the person says otherwise. */
export const SERIAL = { baudRate: 19_200, parity: 'even' } as const

export const isSerial = ({ protocol, where }: Pick<TargetDraft, 'protocol' | 'where'>) =>
  protocol === 'modbus-rtu' || where.trim().startsWith('/')
export const hasUnits = ({ protocol }: Pick<TargetDraft, 'protocol'>) => protocol !== 'bacnet-ip'

/** Of a network a few units of each host are asked, so that a scan stays within its bounds. */
const UNITS_OF_NETWORK = '1-4'
const USUAL_UNITS: Readonly<Partial<Record<Protocol, string>>> = { sunspec: '1-10' }

/** Returns the unit ids that are asked when the person names none. */
export const usualUnits = ({ protocol, where }: Pick<TargetDraft, 'protocol' | 'where'>) =>
  !isSerial({ protocol, where }) && where.includes('/') ? UNITS_OF_NETWORK : (USUAL_UNITS[protocol] ?? '1-32')

/** Returns what to send, or why nothing is sent. */
export function readTarget(draft: TargetDraft): ScanRequest | { problem: string } {
  const { protocol, units, more } = draft
  const where = draft.where.trim()
  const unitIds = hasUnits(draft) && { unitIds: units.trim() || usualUnits(draft) }
  if (isSerial(draft)) {
    if (!where.startsWith('/')) return { problem: texts.noPath }
    return { protocol, settings: { path: where, ...unitIds, ...more } }
  }
  const [, host = where, port] = /^([^:]+):(\d{1,5})$/.exec(where) ?? []
  const target = readScanTarget(host)
  if (!('problem' in target)) {
    return { protocol, settings: { host, ...(port !== undefined && { port: Number(port) }), ...unitIds, ...more } }
  }
  if (target.problem === 'too-large') {
    return { problem: format(texts.tooLarge, { network: target.host, count: formatNumber(target.addresses) }) }
  }
  return { problem: format(texts[target.problem], { host: target.host }) }
}
