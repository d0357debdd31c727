import type { Log } from '@plantroom/base/log'
import type { Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { sameWritten, writtenValue } from './equipment.ts'
import type { Hold, Holder } from './hold.ts'

/** What the log says was written last to a datapoint. */
export interface Logged {
  holder: Holder | undefined
  /** Missing for a release by the equipment's own means. */
  value: Writable | undefined
}

/** Returns the writer behind a hold or its release, and the request that placed its override. */
export function requestOf({ holder, releasing }: Hold): { by?: string; overrideId?: string; reqId?: string } {
  const claim = (holder ?? releasing?.holder)?.claim
  if (!claim) return {}
  const { by, overrideId, reqId } = claim
  return { by, ...(overrideId !== undefined && { overrideId }), ...(reqId !== undefined && { reqId }) }
}

/**
 * Logs a write that the equipment accepted. Writes of local optimisation, and a value that is written again, are for
 * debugging: they would wear out the storage of a controller.
 */
export function logWrite(
  log: Log,
  { connection, datapoint }: Place,
  { hold, value, applied }: { hold: Hold; value: Writable | undefined; applied: { logged?: Logged } },
): void {
  const request = requestOf(hold)
  const isRepeated = applied.logged !== undefined && isSame(applied.logged, { holder: hold.holder, value })
  applied.logged = { holder: hold.holder, value }
  const fields = {
    datapoint: datapoint.name,
    datapointId: datapoint.id,
    connection: connection.config.name,
    ...(value !== undefined && { value: writtenValue(value, datapoint) }),
    ...request,
  }
  const message = hold.holder ? 'wrote the setpoint to the equipment' : 'restored the plain value of the equipment'
  log[request.reqId !== undefined && !isRepeated ? 'info' : 'debug'](fields, message)
}

function isSame(a: Logged, b: Logged): boolean {
  if (a.holder !== b.holder) return false
  return a.value === undefined || b.value === undefined ? a.value === b.value : sameWritten(a.value, b.value)
}
