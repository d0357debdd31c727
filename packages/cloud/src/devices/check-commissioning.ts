import { randomUUID } from 'node:crypto'
import { sha256 } from '@plantroom/base/sha256'
import {
  allFileProblems,
  type DeviceCheck,
  type FileProblem,
  isCommissioningFile,
} from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Dispatch } from './dispatch.ts'
import { buildTechnicalSystem } from './technical-system.ts'

/** Stands for a commissioned system, or for none, in `base`: it differs whenever anything of it does. */
export function baseOf(system: TechnicalSystem | undefined): string {
  return system ? sha256(JSON.stringify(system)).slice(0, 32) : 'none'
}

/** A controller has no use for units, kinds and tags, and an earlier version would show them in its export. */
export function withoutLabels(system: TechnicalSystem): TechnicalSystem {
  const connections = system.connections.map((connection) => ({
    ...connection,
    datapoints: connection.datapoints.map(({ unit: _unit, kind: _kind, tags: _tags, ...datapoint }) => datapoint),
  }))
  return { ...system, connections }
}

interface CheckedFile extends DeviceCheck {
  device: { checked: boolean; reason: string | null }
}

/**
 * Checks a document as loading it would: by the rules of the service, then on the device, which knows its drivers and
 * what is held. A device that cannot be asked, or is too old for the question, is no mistake of the file.
 */
export async function checkDocument(
  document: Record<string, unknown>,
  on: Parameters<typeof buildTechnicalSystem>[1] & { dispatch: Dispatch; keyId: string },
): Promise<CheckedFile> {
  const { dispatch, keyId, ...place } = on
  const problems = allFileProblems(document)
  const notAsked = { problems, held: [], device: { checked: false, reason: 'the file has mistakes' } }
  // The device judges connections; what refers to them by name may be wrong.
  const { technicalSystem, connections } = document
  const judged = problems.length === 0 ? document : { technicalSystem, connections }
  if (!isCommissioningFile(judged)) return notAsked
  const system = buildTechnicalSystem(judged, place)
  const request = { reqId: randomUUID(), keyId, data: { technicalSystem: withoutLabels(system) } }
  try {
    const reply = JSON.parse(String(await dispatch(place.deviceId, 'checkCommissioning', request))) as DeviceCheck
    return {
      problems: merged(problems, reply.problems),
      held: [...reply.held],
      device: { checked: true, reason: null },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // A command is `invalid` only when it is too large for a device.
    if (error.kind === 'invalid') return { ...notAsked, problems: [{ path: '', message: error.message }] }
    return { ...notAsked, device: { checked: false, reason: error.message } }
  }
}

function merged(own: readonly FileProblem[], ofDevice: readonly FileProblem[]): FileProblem[] {
  const known = new Set(own.map(({ path, message }) => `${path} ${message}`))
  return [...own, ...ofDevice.filter(({ path, message }) => !known.has(`${path} ${message}`))]
}
